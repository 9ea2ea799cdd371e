# SPDX-License-Identifier: Apache-2.0
"""The archives of a run, by the names that its rows have for them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from thresher.reading.inputs import Input
from thresher.reading.names import below, join, scheme_of

if TYPE_CHECKING:
    from thresher.writing.run_folder import RunFolder


class Archives(dict[str, Input]):
    """The input that each value of warc_filename in a run names: itself where it is none of the run's own, as in a run
    over the pages of another run.
    """

    def __init__(self, output: str) -> None:
        super().__init__()
        self._output = output

    def __missing__(self, name: str) -> Input:
        found = self[name] = Input.named(_beside(self._output, name))
        return found


def archives_of(folder: RunFolder) -> Archives:
    """The archives of a run.

    A relative name is relative to the working folder, as when the run was made, or else to the folder that holds OUT.
    """
    rows: dict[str, Any] = folder.rows()
    found = Archives(folder.location)
    if "index" in rows:
        from thresher.reading.ranges import sources_in

        for name in folder.inputs():
            for filename, source in sources_in(folder.url(name)).items():
                found[filename] = Input.named(source)
        return found
    base = rows.get("input_base_url")
    for name in folder.inputs():
        found[below(name, base)] = Input.named(_beside(folder.location, name))
    return found


def _beside(output: str, name: str) -> str:
    beside = join(os.path.dirname(os.path.abspath(output)), name)
    is_local = not (scheme_of(name) or os.path.isabs(name) or scheme_of(output))
    return beside if is_local and not os.path.exists(name) and os.path.exists(beside) else name
