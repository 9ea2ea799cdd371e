# SPDX-License-Identifier: Apache-2.0
"""What a page says about itself, decided from the values that are found in its tree."""
