# SPDX-License-Identifier: Apache-2.0
"""Templates: what the pages of a host have in common, and what that means for a page's main text.

`urls` and `url_tree` are Sluban and Grčar's URL Tree (CIKM 2013) as the paper has it. `staging`, `counting` and
`deciding` are the two passes over an archive: pages are extracted and staged with the fingerprints of their blocks, the
fingerprints are counted over all pages of a host, and each page is decided with what is known from the others.
docs/templates.md tells the whole story.
"""
