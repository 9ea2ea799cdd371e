# SPDX-License-Identifier: Apache-2.0
"""Summaries of the tolerant measure (docs/labelling.md): means, shares of good and bad pages, and how sure they are."""

from collections import Counter
from dataclasses import dataclass
from typing import Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from thresher.lab.evaluate.intervals import Mean, bootstrap
from thresher.lab.evaluate.summary import column, strings

GOOD: Final = 0.9
"""Pages of this F1 and above are good."""
BAD: Final = 0.5
"""Pages below it are bad."""
SMALL: Final = 10
"""Groups of fewer pages are put together as OTHERS."""
OTHERS: Final = "others"


@dataclass(frozen=True, slots=True)
class Tolerant:
    system: str
    group: str
    pages: int
    sites: int
    f1: Mean
    good: Mean
    """The share of pages of GOOD F1 and above."""
    bad: Mean
    """The share of pages below BAD."""
    precision: float
    recall: float
    word_f1: float
    """Word F1, Chinese and Japanese by character, of the pages that have main text; NaN if none has."""

    def cells(self) -> list[str]:
        shares = (self.precision, self.recall)
        return [str(self.f1), str(self.good), str(self.bad), *(f"{share:.3f}" for share in shares)]


HEAD: Final = ("F1 (95 %)", "pages ≥ .9", "pages < .5", "P", "R")
"""The head of the columns of Tolerant.cells()."""


def has_classes(table: pa.Table) -> bool:
    """Whether any page of the results has a tolerant score."""
    return not bool(np.isnan(column(table, "tolerant_f1")).all())


def tolerant_rows(table: pa.Table, group_by: str | None = None) -> list[Tolerant]:
    """Each system on all pages that have classes, best first; or on each group of the column `group_by`, the groups of
    most pages first.
    """
    measured = ~np.isnan(column(table, "tolerant_f1"))
    table = table.filter(pa.array(measured))
    systems = strings(table, "system")
    names = list(dict.fromkeys(systems))
    if not names:
        return []
    groups = _groups(table, group_by, len(names))
    counts = Counter(groups)
    order = sorted(counts, key=lambda group: (group == OTHERS, -counts[group], group))
    found = []
    for group in order:
        rows = [
            _row(table.filter(pa.array((systems == name) & (groups == group))), str(name), str(group)) for name in names
        ]
        found += sorted(rows, key=lambda row: -row.f1.value)
    return found


def _groups(table: pa.Table, group_by: str | None, n_systems: int) -> NDArray[np.object_]:
    """The group of each row; small ones and rows without a group are OTHERS."""
    if group_by is None:
        return np.full(table.num_rows, "all", dtype=object)
    groups = strings(table, group_by)
    counts = Counter(groups)
    large = {group for group, count in counts.items() if group and count >= SMALL * n_systems}
    named = np.empty(len(groups), dtype=object)
    named[:] = [group if group in large else OTHERS for group in groups]
    return named


def _row(table: pa.Table, system: str, group: str) -> Tolerant:
    f1 = column(table, "tolerant_f1")
    sites = strings(table, "site")
    values = np.stack([f1, f1 >= GOOD, f1 < BAD], axis=1).astype(np.float64)
    estimates = bootstrap(values, sites.tolist())
    main = column(table, "n_gold_characters") > 0
    return Tolerant(
        system=system,
        group=group,
        pages=len(f1),
        sites=len(set(sites)),
        f1=estimates[0],
        good=estimates[1],
        bad=estimates[2],
        precision=float(column(table, "tolerant_precision").mean()),
        recall=float(column(table, "tolerant_recall").mean()),
        word_f1=float(column(table, "word_cjk_f1")[main].mean()) if main.any() else float("nan"),
    )
