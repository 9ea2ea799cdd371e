# SPDX-License-Identifier: Apache-2.0
MODEL_FILE: str

def load(path: str | None = None) -> str: ...
