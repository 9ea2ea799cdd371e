# SPDX-License-Identifier: Apache-2.0
"""Trees of LightGBM as the core reads them: nodes, each before those below it, and leaves."""

from collections.abc import Callable, Mapping
from typing import Any, Final

REPEATABLE: Final = {"deterministic": True, "force_row_wise": True, "num_threads": 1, "verbose": -1}
"""Parameters of LightGBM with which the same data give the same trees."""


def as_nodes(
    root: Mapping[str, Any], asks: Callable[[Mapping[str, Any]], tuple[Any, ...]], units: int
) -> tuple[list[Any], list[int]]:
    """The nodes and leaves of a tree as dump_model() gives it. A node is what `asks` makes of it, with what follows to
    the left and to the right: the number of a node, a later one, or the complement (~) of a leaf's. A leaf is its value
    in whole `units` of 1.
    """
    nodes: list[Any] = []
    leaves: list[int] = []

    def add(found: Mapping[str, Any]) -> int:
        if "leaf_value" in found:
            leaves.append(round(units * found["leaf_value"]))
            return ~(len(leaves) - 1)
        place = len(nodes)
        nodes.append(None)
        left, right = add(found["left_child"]), add(found["right_child"])
        nodes[place] = (*asks(found), left, right)
        return place

    add(root)
    return nodes, leaves
