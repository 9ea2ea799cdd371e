# SPDX-License-Identifier: Apache-2.0
"""How many examples Hypothesis tries where one takes some hundredths of a second: a third, and not below fifty."""

from hypothesis import settings

few = settings(max_examples=max(50, settings.default.max_examples // 3))
