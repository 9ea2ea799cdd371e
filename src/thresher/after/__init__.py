# SPDX-License-Identifier: Apache-2.0
"""What is done with a run beside running it: estimates, reports, retries, rendering, compacting, joining shards."""
