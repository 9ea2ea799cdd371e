# SPDX-License-Identifier: Apache-2.0
CHECKS: bool

def require(condition: bool) -> None: ...
