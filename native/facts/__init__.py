# SPDX-License-Identifier: Apache-2.0
"""What a page says about itself, decided from the values that native.metadata and native.linked_data find."""
