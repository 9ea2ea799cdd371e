# SPDX-License-Identifier: Apache-2.0
"""The service over HTTP, the workbench and labelling: what `thresher serve` runs.

`service` holds the routes, `pool` the worker processes, and `tasks` what runs in them. Every page is worked on in a
worker; the process that talks to clients never parses one.
"""
