# SPDX-License-Identifier: Apache-2.0
"""The commands, one module each: they parse arguments and say what happened. Nothing else imports them."""
