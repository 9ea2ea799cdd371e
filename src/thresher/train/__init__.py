# SPDX-License-Identifier: Apache-2.0
"""Training of the learned extractor; needs the extra `train`. Nothing of it is used at run time."""
