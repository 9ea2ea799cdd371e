# SPDX-License-Identifier: Apache-2.0
"""Reads a model from its file, and checks it.

docs/model-card.md says what data the package's model was trained on. `python -m thresher.lab.train` rebuilds it.
"""

import base64
import json
from functools import cache
from pathlib import Path

cimport cython

from thresher.native.scoring.feature_table cimport N_ALL_FEATURES, N_FEATURES
from thresher.native.scoring.tokens cimport N_WEIGHTS

from thresher.native.scoring.feature_table import CHOICE_FEATURES, CONTEXT_FEATURES, FEATURES


MODEL_FILE = "models/thresher-9.json"
"""The package's model file."""

cdef enum:
    MODEL_FORMAT = 3            # raised when the layout of the file changes


@cython.final
cdef class Model:
    """A model of the learned extractor, made from the text of a model file. It never changes, so threads can share it.

    Raises ValueError if the text is not a model for this version's features.
    """

    def __cinit__(self, text not None):
        cdef int i
        try:
            content = json.loads(text)
            known = [*FEATURES, *CONTEXT_FEATURES], list(CHOICE_FEATURES)
            if content["format"] != MODEL_FORMAT or (content["features"], content["choice_features"]) != known:
                raise ValueError(
                    "the model is of another version of the features; "
                    "python -m thresher.lab.train makes one for this version"
                )
            self.version = str(content["version"])
            self.token_weights = base64.b64decode(content["token_weights"])
            if len(self.token_weights) != N_WEIGHTS:
                raise ValueError(f"{len(self.token_weights)} token weights, not {N_WEIGHTS}")
            self.first_trees = Trees(content["first_trees"], N_FEATURES)
            self.block_trees = Trees(content["block_trees"], N_ALL_FEATURES)
            self.choice_trees = Trees(content["choice_trees"], len(CHOICE_FEATURES))
            self.parts.expected_weight = content["expected_weight"]
            points = [float(point) for point in content["confidence"]]
        except (KeyError, TypeError) as error:
            raise ValueError(f"this is not a model file: {error!r}") from error
        if len(points) != CONFIDENCE_POINTS or not all(0.0 <= point <= 1.0 for point in points):
            raise ValueError(f"{points} are not {CONFIDENCE_POINTS} points of confidence")
        for i in range(CONFIDENCE_POINTS):
            self.parts.confidence[i] = points[i]
        self.parts.token_weights = <const int8_t*> <const char*> self.token_weights
        self.parts.first_trees = &self.first_trees.forest
        self.parts.block_trees = &self.block_trees.forest
        self.parts.choice_trees = &self.choice_trees.forest

    @staticmethod
    def read(path) -> Model:
        """The model in a file."""
        return Model(Path(path).read_text("utf-8"))


@cache
def default_model() -> Model:
    """The package's model, read on first use."""
    return Model((Path(__file__).parents[2] / MODEL_FILE).read_text("utf-8"))
