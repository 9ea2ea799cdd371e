# SPDX-License-Identifier: Apache-2.0
"""What a page says about itself: title without the site's name, date, author, description, site, canonical address,
language, type.

native.facts.metadata finds the few values that could matter, native.facts.shown_lines the lines of visible text where no
element says them; here it is decided between them. Every value is the page's own claim, cleaned and checked for its
form, not for its truth.

Own code, because the libraries cost more than everything else that is done for a page: over 200 pages of WCXB htmldate
1.11 takes 22 ms a page for the date alone, Trafilatura's metadata 32 ms, extruct 0.18 2.5 ms for JSON-LD and OpenGraph.
"""

import re
from datetime import date
from functools import lru_cache
from typing import Any
from urllib.parse import urljoin

cimport cython
from libc.string cimport memset

from thresher.native.facts.author_names cimport is_organisation
from thresher.native.facts.bylines cimport author_candidates, declared_person
from thresher.native.facts.candidates cimport Candidates, Evidence, FactWeights, end_numbers, number_of, put
from thresher.native.facts.dates cimport Day, date_of, day_of
from thresher.native.facts.headlines cimport Head, title_candidates
from thresher.native.facts.labels import AUTHOR_ELEMENTS, BYLINES, GROUP_OF_TYPE, SITE_ELEMENTS, TITLE_ELEMENTS, all_of
from thresher.native.facts.letters cimport key_of, name_key, without_the
from thresher.native.facts.linked_data cimport linked_objects, objects_of
from thresher.native.facts.metadata cimport values_of_page
from thresher.native.facts.metadata import find_metadata
from thresher.native.facts.page_data cimport sites_named
from thresher.native.facts.page_dates cimport FEW_WORDS, PageDates, needs_lines
from thresher.native.facts.page_dates import DATES, MODIFIED, WEAK_DATES
from thresher.native.facts.page_types cimport KEPT_WORDS
from thresher.native.facts.page_url cimport PageUrl, original_of
from thresher.native.facts.shown_dates cimport ShownLines
from thresher.native.facts.shown_lines import find_shown_lines
from thresher.native.facts.site_names import find_home_names, find_rights, find_site_names
from thresher.native.facts.sites cimport labels_of, lone_site, names_of_host, site_candidates
from thresher.native.facts.titles cimport is_home_name, is_untitled, titles_behind, unescaped, without_labels
from thresher.native.parsing.document cimport Document, Hold

cdef enum:
    MAX_URL = 2048
    MAX_SEPARATORS = 3      # of a title, behind which the headline may begin
    MIN_HEADLINE = 8        # letters of a heading that is a headline, also where the address is that of a front page

# Names of meta elements (name, property, itemprop or http-equiv, lower case) by what they say, the best first:
# OpenGraph, Dublin Core, Highwire (citation_), parse.ly, Sailthru and what large publishers use. Those of dates are in
# page_dates.pyx.
cdef tuple AUTHORS = AUTHOR_ELEMENTS, SITES = SITE_ELEMENTS, TITLES = TITLE_ELEMENTS
cdef tuple LABELLED = (("twitter:label1", "twitter:data1"), ("twitter:label2", "twitter:data2"))
"""Pairs of a label and what it stands for. WordPress plugins write "Written by" and the author's name."""
cdef frozenset WRITTEN_BY = frozenset(all_of(BYLINES))
cdef tuple DESCRIPTIONS = ("description", "og:description", "twitter:description", "dc.description", "dcterms.description")
cdef tuple LANGUAGES = ("html lang", "content-language", "og:locale", "dc.language", "dcterms.language", "language")
cdef dict NAMES = {
    name.encode(): name
    for name in (
        *DATES, *WEAK_DATES, *MODIFIED, *AUTHORS, *DESCRIPTIONS, *SITES, *TITLES, *LANGUAGES[1:], *LABELLED[0],
        *LABELLED[1], "citation_journal_title", "og:url", "og:type", "generator",
    )
} | {
    f":{name}".encode(): "published by suffix"
    for name in (
        "published_time", "publish_time", "publishtime", "published", "published_at", "publishdate", "publish_date",
        "published_date", "publisheddate", "datepublished", "date_published", "publicationdate", "publication_date",
        "pubdate", "release_date", "uploaded",
    )
}

# All other modules that name evidence are imported above.
for _type, _group in GROUP_OF_TYPE.items():
    number_of(f"type:{_type}")
    number_of(f"group:{_group}")
end_numbers()

cdef frozenset MARKED_AUTHORS = frozenset((*AUTHORS, "rel author"))

cdef object END_OF_TAG = re.compile(r"[,;\s]").split
cdef object TAG = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8})*", re.ASCII).fullmatch


# --- what is decided ---

def describe(
    Document document, str url, object latest, FactWeights weights
) -> tuple[str | None, date | None, date | None, str | None, str | None, str | None, str | None, str | None, int, float]:
    """What a parsed page that came from `url` says about itself: title, day of publication and of the last change,
    author, description, site name, canonical address, language, number of its type (-1 for none) and its probability.

    A day after `latest` (a date) is taken for a mistake. Without a document, what the address alone says. Nothing in a
    page raises.
    """
    cdef Hold held = None if document is None else Hold(document)
    return describe_page(document, NULL, None, url, latest, weights, None)


cdef tuple describe_page(
    Document document, const ChosenPage* chosen, object main_text, str url, object latest, FactWeights weights,
    dict into
):
    """What describe() returns. If the main text was chosen, `chosen` and `main_text` (native/main_text.pyx) tell what
    it is made of, begins and ends with; otherwise they are NULL and None.
    With `into`, also sets there what weights are fitted to: the candidates of "site", "title" and "author", without the
    type of the page, and for "date" the one day that was found; and as "type" the probability of each type.
    """
    cdef PageFacts page = PageFacts(document, url)
    page.weights, page.into = weights, into
    page.read(chosen)
    page.find_type()
    page.find_site()
    page.find_title()
    page.find_days(day_of(latest))
    return (
        page.title,
        date_of(page.dates.day),
        date_of(page.change),
        page.author(main_text),
        first_of(page.values, DESCRIPTIONS),
        unescaped(page.site_name),
        canonical_of(page.values, page.where.url),
        page.language,
        page.page_type,
        page.score,
    )


def find_values(
    Document document not None, str url = None
) -> tuple[dict[str, list[str]], tuple[int, int, int], list[dict[str, Any]], list[tuple[int, int, str, int]]]:
    """What the facts of a parsed page that came from `url` are decided from: values, counts as
    native.facts.metadata.find_metadata() gives them, JSON-LD as objects_of() of linked_data.pyx does, and lines of visible text as
    native.facts.shown_lines.find_shown_lines() gives them, where no element names a date or an author.
    """
    cdef Hold held = Hold(document)
    cdef PageFacts page = PageFacts(document, url)
    page.read(NULL)
    return page.values, page.counts, page.linked, page.find_lines()


@cython.final
cdef class PageFacts:
    """The facts of a page, each of which depends on those before it, and what they are decided from."""
    cdef FactWeights weights
    cdef dict into                  # what weights are fitted to goes there; None if nobody asks
    cdef Document document          # None where only the address is known
    cdef const ChosenPage* chosen   # NULL if the main text was not chosen
    cdef tuple shape                # Workspace.shape(); None then
    cdef PageUrl where
    cdef dict values                # what elements say
    cdef tuple counts               # of articles, paragraphs and links
    cdef list linked                # JSON-LD
    cdef str host
    cdef tuple labels               # keys of those of the host
    cdef set declared_sites         # keys of the names that elements and JSON-LD give the site
    cdef str language
    cdef bint names_author          # elements or JSON-LD name a person
    cdef bint is_signed             # who signed is to be found
    cdef int page_type              # -1 for none
    cdef double score               # its probability
    cdef ShownLines lines           # None if none are looked at
    cdef str site_name
    cdef set sites                  # keys of what the site is called
    cdef bint is_home
    cdef str title
    cdef Py_ssize_t headline        # where it ends; -1 if that is not known
    cdef PageDates dates
    cdef Day change                 # of the last change

    def __cinit__(self, Document document, str url) -> None:
        """None yet, but the address."""
        self.document, self.where = document, PageUrl(url)
        self.values, self.counts, self.linked, self.declared_sites = {}, (0, 0, 0), [], set()
        self.page_type, self.headline, self.is_signed = -1, -1, True

    cdef int read(self, const ChosenPage* chosen) except -1:
        """Read the page."""
        cdef dict said
        self.chosen = chosen
        if chosen != NULL:
            self.shape = tuple([chosen.shape[i] for i in range(N_SHAPE)])
            self.values, self.counts = values_of_page(&self.document.tree, NAMES, &chosen.elements)
        elif self.document is not None:
            self.values, self.counts = find_metadata(self.document, NAMES)
        if chosen != NULL and chosen.linked != NULL:
            self.linked = objects_of(&self.document.tree, chosen.linked)
        elif self.document is not None:
            self.linked = linked_objects(self.document)
        said = self.values
        for name in ("title", "og:title"):
            if name in said and is_untitled((<list> said[name])[0]):
                del said[name]
        self.host = (self.where.host or PageUrl(canonical_of(said, "")).host).lower()
        self.labels = tuple([without_the(label) for label in labels_of(self.host)])
        self.language = language_of(said)
        if self.document is None:
            return 0
        self.declared_sites = declared_sites(said, self.linked)
        self.read_site()
        for label, value in LABELLED:
            if label in said and value in said and (<str> (<list> said[label])[0]).strip(" :").lower() in WRITTEN_BY:
                said["written by"] = (<list> said[value])[:1]
        self.names_author = names_person(said, self.linked, self.where)
        return 0

    cdef int read_site(self) except -1:
        """Read where the page writes the name of its site without saying so."""
        cdef dict said = self.values
        cdef tuple labels = labels_of(self.host)
        cdef str host = self.host, own = labels[len(labels) - 1] if labels else "", suffix = ""
        if not (self.declared_sites - {""}):
            homes, rights = find_home_names(self.document, host.removeprefix("www.")), find_rights(self.document)
            if homes:
                said["home link"] = homes
            if rights is not None:
                said["rights"] = [rights]
        if own and own in host:
            suffix = host[host.rfind(own) + len(own):]
        said.update(find_site_names(
            self.document, labels[max(len(labels) - 2, 0):], suffix,
            [(<list> said[name])[0] for name in ("title", "og:title", "og:site_name", "description") if name in said],
        ))
        return 0

    cdef int find_type(self) except -1:
        """Find the type of the page, and the lines that may show what elements do not say."""
        cdef list lines
        if self.document is None:
            return 0
        self.page_type, self.score = self.weights.type_weights.judge(
            self.values, self.counts, self.linked, self.where, self.shape,
            self.chosen.hashed if self.chosen != NULL and self.chosen.is_hashed else NULL, self.into
        )
        # Of what nobody signs only an author whom elements name; but who fits weights asks what the candidates would be.
        self.is_signed = (
            self.into is not None or self.names_author or not self.knows_type()
            or not self.weights.unsigned[self.page_type]
        )
        lines = self.find_lines()
        if lines:
            self.lines = ShownLines(lines)
        return 0

    cdef bint knows_type(self) noexcept:
        """True if the type of the page is likely enough to say something of its other facts."""
        return self.page_type >= 0 and self.score >= self.weights.likely

    cdef int put_type(self, Evidence* evidence) noexcept:
        """Add the type of the page, unless the evidence is what weights are fitted to: who fits them adds it."""
        if self.page_type >= 0 and self.into is None:
            put(evidence, self.weights.type_numbers[self.page_type])
            put(evidence, self.weights.group_numbers[self.page_type])
        return 0

    cdef list find_lines(self):
        """Lines of visible text with dates and authors, where elements do not name them well."""
        cdef bint dates = needs_lines(self.values, self.linked, self.where.day != 0)
        cdef bint authors = self.is_signed and not self.names_author
        return find_shown_lines(self.document, dates, authors, titles_in(self.values)) if dates or authors else []

    cdef int find_site(self) except -1:
        """Find the site's name, and the keys of what it is called."""
        cdef Candidates candidates = site_candidates(self.values, self.linked, self.where, self.host, self.labels)
        if self.into is not None:
            self.into["site"] = candidates.named()
        self.site_name = self.weights.site.best(candidates) or lone_site(candidates, self.weights.site)
        self.sites = self.declared_sites | names_of_host(self.host) | {name_key(self.site_name or ""), ""}
        return 0

    cdef int find_title(self) except -1:
        """Find the title, and the place where the headline ends."""
        cdef dict values = self.values
        cdef str title = self.likeliest_title() if self.document is not None else None
        self.is_home = self.where.is_front_page and not has_headline(values, self.sites) and (
            title is None or name_key(title) in self.sites or <int> self.counts[0] > 1
            or values.get("og:type", [""])[0] == "website"
        )
        if self.lines is not None:
            self.headline = self.lines.headline_end(title)
        self.title = finished(title, self.site_name) if title is not None else None
        return 0

    cdef str likeliest_title(self):
        """The likeliest headline among what the page says and, if its main text was chosen, shows around it; None if it
        says nothing.
        """
        cdef const Head* heads = NULL
        cdef uint32_t n_heads = 0
        cdef Candidates candidates
        if self.chosen != NULL:
            heads, n_heads = self.chosen.heads, self.chosen.n_heads
        candidates = title_candidates(
            self.values, self.linked, &self.document.tree, heads, n_heads, self.site_name, self.sites, self.labels,
            self.where, <int> self.counts[0] > 1
        )
        if self.into is not None:
            self.into["title"] = [(finished(text, self.site_name), names) for text, names in candidates.named()]
        return self.weights.title.best(candidates)

    cdef int find_days(self, Day latest) except -1:
        """Find the days of publication and of the last change; what is later than `latest` is a mistake."""
        cdef PageDates dates = PageDates.__new__(PageDates)
        cdef Candidates candidates
        self.dates = dates
        dates.document, dates.values, dates.linked, dates.lines = self.document, self.values, self.linked, self.lines
        dates.where, dates.host, dates.language, dates.latest = self.where, self.host, self.language, latest
        dates.articles, dates.words = self.counts[0], self.shape[<int> KEPT_WORDS] if self.shape is not None else -1
        dates.find(self.headline, self.is_home)
        self.change = dates.changed()
        if self.shape is not None or self.into is not None:     # otherwise the type is known less well
            candidates = dates.candidates(self.change)
            if candidates.texts and self.knows_type():
                self.put_type(candidates.rows)
            if self.into is not None:
                self.into["date"] = candidates.named()
            if self.weights.date.best(candidates) is None:
                dates.day = 0
        if not self.change and self.lines is not None:
            self.change = self.lines.changed_day(dates.day, latest)
        return 0

    cdef str author(self, object main_text):
        """The author; None if there is none."""
        cdef Candidates candidates
        cdef Evidence of_page
        cdef str author
        if not self.is_signed:
            return None
        memset(&of_page, 0, sizeof(of_page))
        self.put_type(&of_page)
        candidates = author_candidates(
            self.values, self.linked, None if self.is_home else self.lines, self.headline,
            None if self.is_home else main_text, self.sites, self.site_name, self.title, self.where, self.weights.names,
            of_page
        )
        if self.into is not None:
            self.into["author"] = candidates.named()
        author = self.weights.author.best(candidates)
        if author is None and (self.shape is None or <int> self.shape[<int> KEPT_WORDS] < FEW_WORDS):
            return declared_person(candidates)
        return author


cdef tuple titles_in(dict said):
    """What a line may repeat that is the headline without being a heading: titles, and what follows the site's name."""
    cdef dict found = {}
    cdef str text
    for name in ("title", "og:title"):
        if name in said:
            text = (<list> said[name])[0]
            found[text] = None
            for part in titles_behind(text, MAX_SEPARATORS):
                found[part] = None
    return tuple([(<str> text).encode("utf-8", "ignore") for text in found])


cdef bint names_person(dict said, list linked, PageUrl where) except -1:
    """True if elements or JSON-LD name an author who is neither the site nor an editorial staff, by the look of it.

    Names of one word count as none: they are user names, initials or the site's.
    """
    cdef list persons = [name for key in said if key in MARKED_AUTHORS for name in <list> said[key]]
    cdef set sites
    cdef str name
    for each in linked:
        for author in (<dict> each).get("author", []):
            persons += [author] if isinstance(author, str) else <list> (<dict> author).get("name", [])
    sites = {name for key in SITES if key in said for name in <list> said[key]}
    for each in persons:
        name = each
        if (
            " " in name and "/" not in name and name not in sites and name_key(name) not in names_of_host(where.host)
            and not is_organisation(name)
        ):
            return True
    return False


cdef str finished(str title, str site_name):
    """A headline without labels; the site's name for one that says no more than "Home"."""
    title = without_labels(unescaped(title))
    return site_name if site_name is not None and is_home_name(title) else title


cdef str first_of(dict values, tuple names):
    """The first value under the first of these names that has one."""
    for name in names:
        if name in values:
            return (<list> values[name])[0]
    return None


cdef bint has_headline(dict values, set sites) except -1:
    """True if the title element has a heading of the first level and more: the page is no front page, though its address
    may be that of one, as when only the site of a page is known.
    """
    cdef str title = key_of((<list> values["title"])[0]) if "title" in values else "", letters
    for text in values.get("h1", []):
        letters = key_of(text)
        if MIN_HEADLINE <= len(letters) < len(title) and letters in title and name_key(text) not in sites:
            return True
    return False


cdef set declared_sites(dict values, list linked):
    """Keys of the names that elements and JSON-LD give the site."""
    cdef list texts = sites_named(linked)
    for name in SITES:
        texts += values.get(name, ())
    return {name_key(text) for text in texts}


# --- address, language ---

cdef str canonical_of(dict values, str url):
    """The address that the page names as its own, absolute where the page's is known; never that of an archive's copy."""
    cdef str found
    for key in ("canonical", "og:url"):
        if key not in values:
            continue
        for text in <list> values[key]:
            found = text
            if not found.startswith(("https://", "http://")):
                try:
                    base = urljoin(url, (<list> values["base"])[0]) if "base" in values else url
                    found = urljoin(base, found)
                except ValueError:
                    continue
            found = original_of(found)
            if found.startswith(("https://", "http://")) and len(found) <= MAX_URL and " " not in found:
                return found
    return None


cdef str language_of(dict values):
    """The language tag that the page declares."""
    cdef str tag
    for key in LANGUAGES:
        if key in values:
            for text in <list> values[key]:
                tag = _language_tag(text)
                if tag is not None:
                    return tag
    return None


@lru_cache(maxsize=1 << 8)
def _language_tag(text: str) -> str | None:
    """The first language tag of a text, in the usual case: pt_br → pt-BR; None if it begins with none."""
    first = END_OF_TAG(text, maxsplit=1)[0]
    if not TAG(first) or first.lower().startswith("utf"):
        return None
    head, *rest = first.replace("_", "-").split("-")
    cased = [{2: str.upper, 4: str.title}.get(len(part), str.lower)(part) for part in rest]
    return "-".join((head.lower(), *cased))
