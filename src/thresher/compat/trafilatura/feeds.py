# SPDX-License-Identifier: Apache-2.0
"""Finding feeds: names that say what to use instead when they are used."""

from thresher.compat.trafilatura._names import names_of

__getattr__ = names_of(__name__)
