# SPDX-License-Identifier: Apache-2.0
from typing_extensions import Buffer

ASCII: int
UTF8: int
UTF8_WITH_C1: int
OTHER: int

def utf8_state(page: Buffer) -> int: ...
def double_utf8(page: Buffer) -> int: ...
