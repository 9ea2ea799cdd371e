# SPDX-License-Identifier: Apache-2.0
"""How sure a mean is: 95 % intervals, percentiles of a bootstrap over sites.

Pages of one site resemble each other, so sites are drawn, not pages. The draws are the same for every system, so two
systems on the same pages saw the same samples.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

RESAMPLES: Final = 1000
_SEED: Final = 27
_INTERVAL: Final = (0.025, 0.975)

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over pages, with its 95 % interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} ({self.low:.3f}-{self.high:.3f})"


def bootstrap(values: Floats, sites: Sequence[str]) -> list[Mean]:
    """The mean of each column of [page, column], with the interval of a bootstrap over sites."""
    return _means(values.mean(axis=0), _resampled(values, sites, 0))


def bootstrap_over_sets(values: Floats, sites: Sequence[str], groups: Sequence[NDArray[np.intp]]) -> list[Mean]:
    """The mean over sets of the sets' means of each column of [page, column], with its interval.

    `groups` are the rows of each set. Sites are drawn within each set, whose number of sites stays as it is. So an
    interval says how sure the figure is on more pages like those of these sets, and nothing about other sets. A site
    that is in two sets is drawn in each of them on its own.
    """
    values_of_sets = np.mean([values[group].mean(axis=0) for group in groups], axis=0)
    resampled = [
        _resampled(values[group], [sites[row] for row in group], number) for number, group in enumerate(groups)
    ]
    return _means(values_of_sets, np.mean(resampled, axis=0))


def _resampled(values: Floats, sites: Sequence[str], stream: int) -> Floats:
    """The means of each column over pages of drawn sites: [resample, column]. Each stream has draws of its own."""
    numbers = {site: number for number, site in enumerate(dict.fromkeys(sites))}
    of_page = np.array([numbers[site] for site in sites])
    n_sites = len(numbers)
    pages = np.bincount(of_page, minlength=n_sites)
    sums = np.stack([np.bincount(of_page, weights=each, minlength=n_sites) for each in values.T], axis=1)
    draws = np.random.default_rng((_SEED, stream)).multinomial(n_sites, np.full(n_sites, 1 / n_sites), size=RESAMPLES)
    means: Floats = (draws @ sums) / (draws @ pages)[:, None]
    return means


def _means(values: Floats, resampled: Floats) -> list[Mean]:
    low, high = np.quantile(resampled, _INTERVAL, axis=0)
    return [Mean(float(value), float(a), float(b)) for value, a, b in zip(values, low, high, strict=True)]
