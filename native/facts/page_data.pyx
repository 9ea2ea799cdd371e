# SPDX-License-Identifier: Apache-2.0
"""What the JSON-LD of a page says of it: days, headlines, people, the site.

The objects are the outermost ones, those of @graph, and what a page is about (mainEntity). So an article that is listed
as another one's neighbour does not speak for the page.
"""

import html

from thresher.native.facts.linked_data cimport ARTICLES, TYPE_ORGANIZATION, TYPE_PAGE, TYPE_SITE, TYPE_VIDEO

cdef enum:
    PAGES = TYPE_PAGE | TYPE_VIDEO
    MAX_NAMES = 20      # in a list of people


cdef str clean_text(str text):
    """A string of JSON-LD as text: character references resolved, white space collapsed."""
    return " ".join((html.unescape(text) if "&" in text else text).split())


cdef inline int rank_of(dict found) except -1:
    """0 for an article, 1 for a page, 2 for the rest."""
    cdef int types = found["@type"]
    return 0 if types & ARTICLES else 1 if types & PAGES else 2


cdef list objects_with(list objects, str key):
    """The objects with a property: articles first, then pages, then the rest."""
    cdef list found = [each for each in objects if key in <dict> each]
    return [each for rank in range(3) for each in found if rank_of(each) == rank]


cdef list first_values(list objects, str key):
    """The first value of a property of each object that has it, those of articles first."""
    return [(<list> (<dict> each)[key])[0] for each in objects_with(objects, key)]


cdef list published_texts(list objects, bint of_articles):
    """Days of publication as written: those of articles, or those of everything else."""
    return [
        (<list> (<dict> each)["datePublished"])[0] for each in objects_with(objects, "datePublished")
        if (rank_of(each) == 0) == of_articles
    ]


cdef list headlines(list objects):
    """Headlines of articles and pages."""
    cdef list found = []
    cdef str text
    for each in first_values(objects, "headline"):
        text = clean_text(each)
        if text:
            found.append(text)
    return found


cdef dict by_identifier(list objects):
    """The first object with a name for each @id."""
    cdef dict found = {}
    for each in objects:
        if "@id" in <dict> each and "name" in <dict> each:
            found.setdefault(tuple((<dict> each)["@id"]), each)
    return found


cdef list named(dict known, list values):
    """The names of people and organisations, given themselves or by reference to known objects, each with True for a
    person's.
    """
    cdef list found = []
    cdef dict one
    cdef str text
    cdef bint is_person
    for each in values[:MAX_NAMES]:
        if isinstance(each, str):
            text = clean_text(each)
            if text:
                found.append((text, True))
            continue
        one = each
        if "name" not in one and "@id" in one:
            one = known.get(tuple(one["@id"]), one)
        is_person = not <int> one["@type"] & TYPE_ORGANIZATION
        for name in (<list> one.get("name", []))[:MAX_NAMES]:
            text = clean_text(name)
            if text:
                found.append((text, is_person))
    return found


cdef list sites_named(list objects):
    """All names of WebSites, organisations and publishers."""
    cdef list found = []
    cdef dict known = by_identifier(objects)
    for each in objects:
        if <int> (<dict> each)["@type"] & (TYPE_SITE | TYPE_ORGANIZATION):
            found += <list> (<dict> each).get("name", [])
        if "publisher" in <dict> each:
            found += [name for name, _ in named(known, (<dict> each)["publisher"])]
    return found
