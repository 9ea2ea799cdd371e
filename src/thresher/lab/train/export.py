# SPDX-License-Identifier: Apache-2.0
"""Turns fitted trees into the model file that the core reads."""

import base64
import json
import math
from typing import Any

import lightgbm as lgb

from thresher.native.scoring.feature_table import CHOICE_FEATURES, CONTEXT_FEATURES, FEATURES

FORMAT = 3
LEAF_SCALE = 1 << 12
MAX_BYTES = 1 << 20
"""A model file is never larger: it is read by every worker and shipped with the package."""

Tree = tuple[list[tuple[int, int, int]], list[int]]


def export_trees(model: lgb.Booster) -> list[Tree]:
    """The splits (feature, limit, leaves on the left as bits) and leaves (in 1/4096, from left to right) of each tree.

    Features are whole numbers, so that `value <= threshold` is the same as being below the next whole number.
    """
    return [_export_tree(tree["tree_structure"]) for tree in model.dump_model()["tree_info"]]


def _export_tree(root: dict[str, Any]) -> Tree:
    splits: list[tuple[int, int, int]] = []
    leaves: list[int] = []

    def visit(node: dict[str, Any]) -> int:
        """Adds a subtree; returns its leaves as bits. A tree of sixteen leaves is at most fifteen deep."""
        if "leaf_value" in node:
            leaves.append(round(node["leaf_value"] * LEAF_SCALE))
            return 1 << (len(leaves) - 1)
        left = visit(node["left_child"])
        splits.append((node["split_feature"], max(-32768, min(32767, math.floor(node["threshold"]) + 1)), left))
        return left | visit(node["right_child"])

    visit(root)
    return splits, leaves


def export(
    version: str,
    expected_weight: float,
    weights: bytes,
    first: lgb.Booster,
    blocks: lgb.Booster,
    choices: lgb.Booster,
    confidence: list[float],
) -> str:
    """The model file: JSON, the same for the same model."""
    model = {
        "format": FORMAT,
        "version": version,
        "features": [*FEATURES, *CONTEXT_FEATURES],
        "choice_features": list(CHOICE_FEATURES),
        "expected_weight": expected_weight,
        "confidence": confidence,
        "token_weights": base64.b64encode(weights).decode("ascii"),
        "first_trees": export_trees(first),
        "block_trees": export_trees(blocks),
        "choice_trees": export_trees(choices),
    }
    text = json.dumps(model, separators=(",", ":")).replace("],[[[", "],\n[[[") + "\n"
    if len(text) > MAX_BYTES:
        raise ValueError(f"the model file has {len(text)} bytes, more than {MAX_BYTES}")
    return text
