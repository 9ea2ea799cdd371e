# SPDX-License-Identifier: Apache-2.0
"""What the JSON-LD of a page says of it. `objects` are those of native.facts.linked_data.objects_of()."""


cdef str clean_text(str text)
cdef list first_values(list objects, str key)
cdef list published_texts(list objects, bint of_articles)
cdef list headlines(list objects)
cdef dict by_identifier(list objects)
cdef list named(dict known, list values)
cdef list sites_named(list objects)
