# SPDX-License-Identifier: Apache-2.0
"""Datelines: what a page says about its main content. Author, date, source, reading time, categories and tags, and in a
thread the names and dates of its posts.

A *dateline element* has at most 40 words and is one of these:
- <time>, or an element whose itemprop is author, datePublished, dateModified or dateCreated, or whose rel is author,
  tag or category
- an element of at most 12 blocks with a class or id that names a dateline, such as byline, entry-meta, post-date,
  username or cat-links. Words with "recipe", "event", "product" or "price" in them name none. Cells and rows of tables,
  articles, sections and forms are never named: they hold the content of a list.

A *date next to it* is a block of at most 12 words with a year or a time of the day, at least 15 % of them digits. It is
no heading, and stands next to a dateline element or next to the headline.

The headline is in no dateline. What is kept or dropped depends on the blocks that are kept otherwise:
- Datelines are *kept* from 6 blocks before the first of these to 6 after the last. Those in nav, footer and aside are
  not, unless such an element is itself a dateline, and neither are concealed ones, buttons and labels.
- Datelines are *dropped* unless they are more than 60 words and 30 % of the text. Such a page is a list or a timetable:
  its dates and names are its content.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t

from thresher.native.measuring.blocks cimport BlockArray
from thresher.native.measuring.metrics cimport MetricsArray
from thresher.native.parsing.document cimport Tree


cdef enum:
    MARK_DATELINE = 2       # bit that is set in the byte of a block, besides 1 for a block that is kept


cdef void mark_datelines(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, uint8_t* keep, bint wanted
) noexcept nogil
cdef void settle_datelines(
    uint8_t* keep, const uint32_t* words, size_t step, uint32_t n_blocks, bint wanted
) noexcept nogil
