# SPDX-License-Identifier: Apache-2.0
from datetime import date

def date_in_address(url: str | None) -> date | None: ...
