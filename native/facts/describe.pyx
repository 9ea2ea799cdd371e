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
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Any
from urllib.parse import urljoin

from libc.limits cimport INT_MIN

from thresher.native.facts.letters cimport key_of
from thresher.native.facts.authors cimport is_company, is_organisation
from thresher.native.facts.dates cimport (
    CERTAIN, Day, ShownDay, ShownLines, are_neighbours, date_of, day_of, first_day, make_day
)
from thresher.native.facts.bylines cimport author_candidates, declared_person
from thresher.native.facts.candidates cimport Candidates, Evidence, FactWeights, Ranker, has, number_of, put
from thresher.native.facts.headlines cimport title_candidates, under_site
from thresher.native.facts.labels import AUTHOR_ELEMENTS, SITE_ELEMENTS, TITLE_ELEMENTS
from thresher.native.facts.marks import MARKS
from thresher.native.facts.linked_data cimport LinkedData, linked_objects, objects_of
from thresher.native.facts.page_url cimport PageUrl, month_in_url, name_key
from thresher.native.facts.page_data cimport first_values, published_texts, sites_named
from thresher.native.facts.sites cimport labels_of, site_candidates
from thresher.native.facts.titles cimport (
    add_site_at_end, has_separators, headline_of, is_home_name, is_untitled, shown_part, title_of, titles_behind,
    unescaped, without_labels
)
from thresher.native.parsing.document cimport Document, Hold
from thresher.native.facts.metadata cimport values_of_page
from thresher.native.facts.metadata import find_home_names, find_metadata, find_rights
from thresher.native.facts.script_text import dates_in_scripts
from thresher.native.facts.shown_lines import find_shown_lines
from thresher.native.facts.site_names import find_site_names

cdef enum:
    MAX_NAME = 200          # characters of a site's name; what is longer is none
    MAX_URL = 2048
    MAX_SEPARATORS = 3      # of a title, behind which the headline may begin
    MAX_HOME = 40           # characters of a link to the front page that is the site's name
    MAX_HOME_WORDS = 4
    MIN_HEADLINE = 8        # letters of a heading that is a headline, also where the address is that of a front page
    MANY_ARTICLES = 3       # articles of a page beyond which it is a list of them
    FEW_WORDS = 50          # of the main text of a page that is hardly one
    MANY_WORDS = 300        # of one that is a text
    MANY_TIMES = 3          # time elements beyond which they are those of a list
    MAX_TIME = 64           # characters of a date and time that are read

# Names of meta elements (name, property, itemprop or http-equiv, lower case) by what they say, the best first:
# OpenGraph, Dublin Core, Highwire (citation_), parse.ly, Sailthru and what large publishers use.
cdef tuple DATES = (
    "article:published_time", "datepublished", "rnews:datepublished", "sw-pubdate", "og:pubdate",
    "shareaholic:article_published_time", "article:create_date", "dcterms.available", "article:published",
    "og:article:published_time", "og:published_time",
    "citation_publication_date", "citation_online_date", "citation_date", "dc.date.issued",
    "dcterms.issued", "dcterms.created", "dcterms:created", "date.created", "date.available", "prism.publicationdate",
    "dc.date.created", "parsely-pub-date", "sailthru.date", "cxenseparse:recs:publishtime",
    "bt:pubdate",
    "pubdate", "publishdate", "publish_date", "publish-date", "published_date", "publication_date",
    "publicationdate", "date_published",
    "published_at", "publisheddate", "its_publication",
    "originalpublicationdate", "article.published", "article_date_original", "article.created",
    "weibo:article:create_at", "_pubtime", "cbg_dredate", "posted", "dateposted", "date-creation-yyyymmdd", "creationdate",
    "petition_creation_date", "sailthru:date",
)
cdef tuple WEAK_DATES = (
    "dc.date", "dcterms.date", "pub_date", "date", "published by suffix", "datecreated", "created", "published",
    "timestamp",
)
cdef tuple MODIFIED = (
    "article:modified_time", "datemodified", "og:updated_time", "dcterms.modified", "dc.date.modified",
    "article:modified", "og:article:modified_time", "last-modified", "lastmod", "last_updated", "date_modified",
    "revised", "modified",
)
cdef tuple AUTHORS = AUTHOR_ELEMENTS, SITES = SITE_ELEMENTS, TITLES = TITLE_ELEMENTS
cdef tuple LABELLED = (("twitter:label1", "twitter:data1"), ("twitter:label2", "twitter:data2"))
"""Pairs of a label and what it stands for. WordPress plugins write "Written by" and the author's name."""
cdef object WRITTEN_BY = re.compile(
    r"(?:written|posted|published|verfasst|geschrieben|veröffentlicht|écrit|rédigé|publié|escrito|publicado|escrit|"
    r"scritto|pubblicato|geschreven|skrevet|skriven|napisane|napsal|napísal|scris|ditulis|написано)\b.*"
    r"|(?:author|autor(?:in)?|auteur|autore|автор|yazan|yazar|szerző|kirjoittanut|kirjoittaja|συγγραφέας|"
    r"작성자|글쓴이|作者|執筆者|著者|投稿者|撰寫者|نویسنده|الكاتب|كُتب بواسطة|tác giả|ผู้เขียน|נכתב על ידי)",
    re.IGNORECASE,
)
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

cdef frozenset MARKED_DATES = frozenset((*DATES, "time published"))
cdef frozenset MARKED_AUTHORS = frozenset((*AUTHORS, "rel author"))

cdef object WORLD_TIME = re.compile(r"[T ](\d\d):\d\d.*(?:Z|[+-]00:?00|GMT|UTC)\s*$").search
cdef object HAS_TIME = re.compile(r"\d[T ]+\d\d?:\d\d").search
cdef object ISO = re.compile(r"([12][0-9]{3})-([01][0-9])-([0-3][0-9])(?![0-9])").match
cdef object UNIX_TIME = re.compile(r"(\d{10})(?:\d{3})?(?!\d)").match
cdef object END_OF_TAG = re.compile(r"[,;\s]").split
cdef object TAG = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8})*", re.ASCII).fullmatch


# --- what is looked at ---

cdef tuple values_of(Document document, const LinkedData* data, const ChosenPage* chosen, PageUrl where):
    """Values, counts and JSON-LD, as find_values() describes them, declared_sites(), and whether lines with dates and with
    authors are looked for.
    """
    cdef dict said
    cdef list linked = objects_of(&document.tree, data) if data != NULL else linked_objects(document), marked = [], homes
    cdef tuple counts, labels
    cdef str host, own
    cdef set declared
    cdef bint addressed, dates = True
    said, counts = (
        find_metadata(document, NAMES) if chosen == NULL else values_of_page(&document.tree, NAMES, &chosen.elements)
    )
    for name in ("title", "og:title"):
        if name in said and is_untitled((<list> said[name])[0]):
            del said[name]
    for name, texts in said.items():
        if name in MARKED_DATES:
            for text in <list> texts:
                if first_day(text):
                    marked.append(text)
    for each in linked:
        for text in (<dict> each).get("datePublished", []):
            if first_day(text):
                marked.append(text)
    addressed = where.named_day() != 0
    if marked:
        dates = not addressed
        if dates:
            for text in marked:
                if not is_near_midnight(text):
                    dates = False
                    break
    host = host_of(said, where)
    declared = declared_sites(said, linked)
    if not (declared - {""}):
        homes = find_home_names(document, host.removeprefix("www."))
        if homes:
            said["home link"] = homes
        rights = find_rights(document)
        if rights is not None:
            said["rights"] = [rights]
    labels = labels_of(host)
    own = labels[len(labels) - 1] if labels else ""
    said.update(find_site_names(
        document, labels[max(len(labels) - 2, 0):], host[host.rfind(own) + len(own):] if own and own in host else "",
        [(<list> said[name])[0] for name in ("title", "og:title", "og:site_name", "description") if name in said],
    ))
    for label, value in LABELLED:
        if (
            label in said and value in said
            and WRITTEN_BY.fullmatch((<str> (<list> said[label])[0]).strip(" :")) is not None
        ):
            said["written by"] = (<list> said[value])[:1]
    return said, counts, linked, declared, dates, not names_person(said, linked, where)


cdef list lines_of(Document document, dict values, bint dates, bint authors):
    """The lines that find_values() describes, if one of the two is asked for."""
    return find_shown_lines(document, dates, authors, titles_in(values)) if dates or authors else []


def find_values(
    Document document not None, str url = None
) -> tuple[dict[str, list[str]], tuple[int, int, int], list[dict[str, Any]], list[tuple[int, int, str, int]]]:
    """What the facts of a parsed page that came from `url` are decided from: values, counts as
    native.facts.metadata.find_metadata() gives them, JSON-LD as objects_of() of linked_data.pyx does, and lines of visible text as
    native.facts.shown_lines.find_shown_lines() gives them, where no element names a date or an author.
    """
    cdef Hold held = Hold(document)
    values, counts, linked, _, dates, authors = values_of(document, NULL, NULL, PageUrl(url))
    return values, counts, linked, lines_of(document, values, dates, authors)


cdef str host_of(dict values, PageUrl where):
    """The host of a page in lower case, that which the page names if its address is not known; "" if neither is."""
    return (where.host or PageUrl(canonical_of(values, None)).host).lower()


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
    cdef list named = []
    cdef set sites
    cdef str name
    for key, texts in said.items():
        if key in MARKED_AUTHORS:
            named += <list> texts
    for each in linked:
        for author in (<dict> each).get("author", []):
            if isinstance(author, str):
                named.append(author)
            else:
                named += (<dict> author).get("name", [])
    if not named:
        return False
    sites = set()
    for key in SITES:
        if key in said:
            sites.update(<list> said[key])
    for each in named:
        name = each
        if (
            " " in name and "/" not in name and name not in sites and name_key(name) not in where.site_names()
            and not is_organisation(name)
        ):
            return True
    return False


cdef bint is_near_midnight(str text) except -1:
    """True if a time is given in world time, and so late or early that the day may be another where the page was
    written.
    """
    cdef object match
    cdef int hour
    if ":" not in text:
        return False
    match = WORLD_TIME(text[:MAX_TIME])
    if match is None:
        return False
    hour = int(match[1])
    return not 8 <= hour < 16       # hours; the farthest time zone is at 14


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
    return describe_page(document, NULL, NULL, None, url, latest, weights, None)


cdef tuple describe_page(
    Document document, const LinkedData* data, const ChosenPage* chosen, object workspace, str url, object latest,
    FactWeights weights, dict into
):
    """What describe() returns. `data` is the page's JSON-LD, if it was read already. If the main text was chosen, `chosen`
    and `workspace` (Workspace.edges(), places_of()) tell what it is made of, begins and ends with; otherwise they are
    NULL and without an answer, or None.
    With `into`, also sets there what weights are fitted to: the candidates of "site", "title" and "author", without the type of
    the page, and for "date" the one day that was found; and as "type" the probability of each type.
    """
    cdef dict values = {}
    cdef tuple counts = None, labels
    cdef list linked = []
    cdef tuple shape = tuple([chosen.shape[i] for i in range(N_SHAPE)]) if chosen != NULL else None
    cdef Candidates candidates
    cdef ShownLines lines = None
    cdef Py_ssize_t headline = -1
    cdef str host, site_name, declared, title = None, ruled = None, language, author = None
    cdef set sites, declared_keys = set()
    cdef int page_type = -1
    cdef bint is_home, is_signed = True
    cdef double score = 0
    cdef int source = 0
    cdef ShownDay line
    cdef Day last = day_of(latest), day, change
    cdef PageUrl where = PageUrl(url)
    if document is not None:
        values, counts, linked, declared_keys, dates, authors = values_of(document, data, chosen, where)
        page_type, score = weights.type_weights.judge(
            values, counts, linked, url, shape, chosen.hashed if chosen != NULL and chosen.is_hashed else NULL, into
        )
        # Of what nobody signs only an author whom elements name; but who fits weights asks what the candidates would be.
        is_signed = (
            into is not None or not authors
            or page_type < 0 or score < weights.likely or not weights.unsigned[page_type]
        )
        shown = lines_of(document, values, dates, authors and is_signed)
        if shown:
            lines = ShownLines(shown)
    host = host_of(values, where)
    labels = labels_of(host)
    candidates = site_candidates(values, linked, where, host, labels)
    if into is not None:
        into["site"] = candidates.named()
    site_name = weights.site.best(candidates) or lone_site(candidates, weights.site)
    # Nothing is cut off a title only because it looks like a site's name there.
    declared = site_name if site_name is not None and name_key(site_name) in declared_keys else None
    sites = site_keys(values, linked, declared, where)
    if chosen != NULL:
        candidates = title_candidates(
            values, linked, &document.tree, chosen.heads, chosen.n_heads, site_name,
            sites | {name_key(site_name)} if site_name is not None else sites, labels, where, <int> counts[0] > 1
        )
        if into is not None:
            into["title"] = [(finished(text, site_name), names) for text, names in candidates.named()]
        title = weights.title.best(candidates)
        if title is not None and site_name is not None and where.name() and where.name() not in name_key(title) and (
            name_key(title) == name_key(site_name) or name_key(title) in sites
        ):
            title = weights.title.best(under_site(candidates)) or title
    if title is None or where.is_front_page:
        ruled = headline_of(values, linked, title_of(values, declared, sites, where), sites, where)
    is_home = where.is_front_page and not has_headline(values, sites) and (
        ruled is None or name_key(ruled) in sites or (counts is not None and <int> counts[0] > 1)
        or values.get("og:type", [""])[0] == "website"
    )
    if lines is not None:
        if title is None and ruled is not None and not where.is_front_page and has_separators(ruled, 1) and not any(
            [key_of(ruled) in key_of(text) for text in values.get("h1", [])]
        ):
            ruled = shown_part(ruled, lines.headings()) or ruled
    title = title or ruled
    if lines is not None:
        headline = lines.headline_end(title)
    if site_name is not None:
        sites.add(name_key(site_name))
    if title is not None:
        title = finished(title, site_name)
    language = language_of(values)
    day = published(
        document, values, linked, lines, headline, where, last, language, counts[0] if counts else 0, is_home, &source, &line
    )
    change = modified(values, linked, last)
    if shape is not None or into is not None:       # otherwise the type is known less well
        candidates = day_candidates(day, source, &line, lines, values, where, counts, shape, change)
        if into is not None:
            into["date"] = candidates.named()
            page_type = -1      # the type of the page is added by those who fit
        if candidates.texts and page_type >= 0 and score >= weights.likely:
            put(candidates.rows, weights.type_numbers[page_type])
            put(candidates.rows, weights.group_numbers[page_type])
        if weights.date.best(candidates) is None:
            day = 0
    if not change and lines is not None:
        change = lines.changed_day(day, last)
    if is_signed:
        candidates = author_candidates(
            values, linked, None if is_home else lines, headline, None if is_home else workspace, sites, site_name, title,
            where, weights, page_type
        )
        if into is not None:
            into["author"] = candidates.named()
        author = weights.author.best(candidates)
        if author is None and (shape is None or <int> shape[1] < FEW_WORDS):
            author = declared_person(candidates)
    return (
        title,
        date_of(day),
        date_of(change),
        author,
        first_of(values, DESCRIPTIONS),
        unescaped(site_name),
        canonical_of(values, url),
        language,
        page_type,
        score,
    )


cdef int[5] SAYS_SITE = [
    number_of(f"s:{name}") for name in ("ld site", "ld organization", "ld publisher", "application-name", "home link")
]
cdef int[3] NAME_WORDS = [number_of(f"words:{n}") for n in (2, 3, 4)]
cdef int AT_END = number_of("s:title end"), BESIDE_HEADING = number_of("s:title beside heading")
cdef int NO_HOST_ALIKE = number_of("no host alike"), HAS_DIGIT = number_of("digit"), IS_DIVIDED = number_of("divided")


cdef str lone_site(Candidates candidates, Ranker ranker):
    """The candidate with the greatest sum, below the least one, of a host that is called otherwise: a name that JSON-LD
    says, or one of two to four words that is the application's, that of the link to the front page, or what follows the
    heading in the title. None if it is not. Such a name was right on all of 13 labelled pages of sites held out.
    """
    cdef Py_ssize_t i, first = -1
    cdef int n, score, most = INT_MIN
    cdef const Evidence* evidence
    cdef bint has_words = False, is_said
    for i in range(len(candidates.texts)):
        score = ranker.score(candidates.rows + i, most)
        if score > most:
            first, most = i, score
    if first < 0:
        return None
    evidence = candidates.rows + first
    for n in range(3):
        has_words = has_words or has(evidence, NAME_WORDS[n])
    is_said = has_words and has(evidence, AT_END) and has(evidence, BESIDE_HEADING)
    for n in range(5):
        is_said = is_said or (has(evidence, SAYS_SITE[n]) and (n < 3 or has_words))
    if (
        not is_said or not has(evidence, NO_HOST_ALIKE) or has(evidence, HAS_DIGIT)
        or has(evidence, IS_DIVIDED)
    ):
        return None
    return candidates.texts[first]


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


cdef bint is_sites(str name, PageUrl where) except -1:
    """True if an organisation's name is not rather that of a person who has a site: it is one word, says what it is, or
    the host is called so.
    """
    cdef str letters = name_key(name)
    if " " not in name.strip() or is_organisation(name) or is_company(name):
        return True
    for each in where.site_names():
        if len(<str> each) > 3 and <str> each in letters:
            return True
    return False


cdef set declared_sites(dict values, list linked):
    """Keys of the names that elements and JSON-LD give the site."""
    cdef set keys = {name_key(text) for name in SITES if name in values for text in <list> values[name]}
    if linked:
        keys.update([name_key(text) for text in sites_named(linked)])
    return keys


cdef set site_keys(dict values, list linked, str site_name, PageUrl where):
    """Keys of what the site is called, after the page, its host and the end of its title element."""
    cdef set keys = {"", name_key(site_name) if site_name else ""}
    cdef frozenset names
    for name in SITES:
        if name in values:
            for text in <list> values[name]:
                keys.add(name_key(text))
    if linked:
        keys.update([name_key(text) for text in sites_named(linked) if is_sites(text, where)])
    names = where.site_names()
    if not names:
        names = PageUrl(canonical_of(values, None)).site_names()
    keys |= names
    if (
        "title" in values and has_separators((<list> values["title"])[0], 1 if site_name is None else 2)
        and not where.is_front_page
    ):
        add_site_at_end(values, site_name is not None, keys)
    return keys


# --- dates ---

cdef Day read_day(str text, Day latest) except -1:
    """The first day that a text names; 0 if it names none or a later one."""
    cdef Day found = first_day(text)
    return found if found <= latest else 0


cdef Day first_read(list texts, Day latest) except -1:
    """The first day that one of the texts names."""
    cdef Day found
    for text in texts:
        found = read_day(text, latest)
        if found:
            return found
    return 0


cdef list values_under(dict values, tuple names):
    """All values under these names, in the order of the names."""
    cdef list found = []
    for name in names:
        if name in values:
            found += <list> values[name]
    return found


cdef enum Source:           # of the day of publication, the best first
    BY_ARTICLE              # data of an article
    BY_META
    BY_DATA                 # of something else
    BY_TIME                 # a time element that is marked as the day of publication
    BY_ADDRESS
    BY_LINE_NEAR            # a line near the headline
    BY_ONE_TIME             # the one day of all time elements
    BY_WEAK_META
    BY_LINE
    BY_SCRIPT
    BY_HINT
    BY_WEAK_LINE

cdef tuple DAY_MARKS = ("published", "date", "details", "modified", "author", "elsewhere", "biography")
cdef int[12] SOURCE_NUMBERS = [number_of(f"day by {name}") for name in (
    "article", "meta", "data", "time", "address", "line near", "one time", "weak meta", "line", "script", "hint",
    "weak line",
)]
cdef int OF_NEW_YEAR = number_of("first of January"), CHANGED = number_of("changed"), SAME_CHANGE = number_of("changed then")
cdef int OG_ARTICLE = number_of("og:article"), MANY_PARTS = number_of("many articles"), ONE_PART = number_of("one article")
cdef int IN_ADDRESS = number_of("month in address"), SHORT_TEXT = number_of("few words"), LONG_TEXT = number_of("many words")
cdef int MANY_DAYS = number_of("many times"), FRONT_PAGE = number_of("front page")


cdef int LABELLED_DAY = number_of("day: labelled"), LATER_DAY = number_of("day: later")
cdef int SHORT_LINE = number_of("day: short line"), MIDDLE_LINE = number_of("day: middle line"), LONG_LINE = number_of("day: long line")
cdef enum:
    N_MARKS = 7
    MOST_SCORE = 10
    MOST_SHOWN = 6          # different days that are counted
cdef int[7] MARK_NUMBERS = [number_of(f"day: {name}") for name in DAY_MARKS]
cdef int[7] MARK_BITS = [MARKS[name] for name in DAY_MARKS]
cdef int[11] SCORE_NUMBERS = [number_of(f"day: score {n}") for n in range(MOST_SCORE + 1)]
cdef int[7] SHOWN_NUMBERS = [number_of(f"day: shown {n}") for n in range(MOST_SHOWN + 1)]


cdef Candidates day_candidates(
    Day day, int source, const ShownDay* line, ShownLines lines, dict values, PageUrl where, tuple counts, tuple shape, Day change
):
    """The day of publication that was found, if one was, with what speaks for the page having one; `change` is the day
    of the last change.
    """
    cdef Candidates found = Candidates()
    cdef Evidence* evidence
    cdef int i
    cdef str month
    if not day:
        return found
    evidence = found.add(f"{day // 10000}-{day // 100 % 100:02}-{day % 100:02}", None)
    put(evidence, SOURCE_NUMBERS[source])
    if day % 10000 == 101:
        put(evidence, OF_NEW_YEAR)
    if change:
        put(evidence, SAME_CHANGE if change == day else CHANGED)
    if values.get("og:type", [""])[0] == "article":
        put(evidence, OG_ARTICLE)
    if counts[0] > MANY_ARTICLES:
        put(evidence, MANY_PARTS)
    elif counts[0] == 1:
        put(evidence, ONE_PART)
    month = month_in_url(where.url)
    if month and month == f"{day // 10000}-{day // 100 % 100:02}":
        put(evidence, IN_ADDRESS)
    if shape is not None:
        if <int> shape[1] < FEW_WORDS:
            put(evidence, SHORT_TEXT)
        elif <int> shape[1] >= MANY_WORDS:
            put(evidence, LONG_TEXT)
    if source == BY_LINE_NEAR or source == BY_LINE or source == BY_WEAK_LINE:
        for i in range(N_MARKS):
            if line.marks & MARK_BITS[i]:
                put(evidence, MARK_NUMBERS[i])
        put(evidence, SCORE_NUMBERS[min(max(<int> line.score, 0), MOST_SCORE)])
        if line.labelled:
            put(evidence, LABELLED_DAY)
        if line.before:
            put(evidence, LATER_DAY)
        put(evidence, SHORT_LINE if line.length <= 30 else MIDDLE_LINE if line.length <= 90 else LONG_LINE)
        put(evidence, SHOWN_NUMBERS[lines.different_days(MOST_SHOWN)])
    if len(<list> values.get("time", [])) > MANY_TIMES:
        put(evidence, MANY_DAYS)
    if where.is_front_page:
        put(evidence, FRONT_PAGE)
    return found


cdef Day published(
    Document document, dict values, list linked, ShownLines lines, Py_ssize_t headline, PageUrl where, Day latest,
    str language, int articles, bint is_home, int* source, ShownDay* shown
) except -1:
    """The day of publication: as the page marks it, as its address has it, as it is shown, or by weaker marks. Also sets
    by which of them it is, and the best day of the visible text if it is that.
    """
    cdef list texts = published_texts(linked, True)     # that are marked as the day of publication, best first
    cdef Py_ssize_t n_articles = len(texts), n_meta, i, first_text = -1
    cdef Day first = 0, address, seen = 0, found
    cdef bint has_shown = False, certain
    texts += values_under(values, DATES)
    n_meta = len(texts)
    texts += published_texts(linked, False)
    texts += (<list> values.get("time published", []))[:1]
    for i in range(len(texts)):
        first = read_day(texts[i], latest)
        if first:
            first_text = i
            source[0] = (
                BY_ARTICLE if i < n_articles else BY_META if i < n_meta
                else BY_TIME if i + 1 == len(texts) and "time published" in values else BY_DATA
            )
            break
    if first and not is_near_midnight(texts[first_text]):
        return first
    address = where.named_day()
    if address > latest:
        address = 0
    if is_home:
        return first        # its other days are those of what it links to
    if lines is not None:
        lines.find_order(language, host_of(values, where))
        has_shown = lines.best_day(headline, headline >= 0, latest, month_in_url(where.url), shown)
    certain = has_shown and shown.score >= CERTAIN
    if certain:
        seen = shown.day
        found = first or address
        if found and lines.shows(found):
            seen = 0
    if first:
        # The day before or after, if a mark in local time says so, or else the address or the visible text.
        for i in range(first_text + 1, len(texts)):
            found = read_day(texts[i], latest)
            if found and are_neighbours(found, first) and is_local_time(texts[i]):
                return found
        if address and are_neighbours(address, first):
            return address
        return seen if seen and are_neighbours(seen, first) else first
    source[0] = BY_ADDRESS
    if address:
        return seen if seen and are_neighbours(seen, address) else address
    source[0] = BY_LINE_NEAR
    if certain and shown.near:
        return shown.day
    if not certain:
        source[0] = BY_ONE_TIME
        found = one_time(values, latest)
        if found:
            return found
    source[0] = BY_WEAK_META
    found = first_read(values_under(values, WEAK_DATES), latest)
    if found:
        return found
    source[0] = BY_LINE
    if certain:
        return shown.day
    source[0] = BY_SCRIPT
    found = day_in_scripts(document, latest) if document is not None else 0
    if found:
        return found
    source[0] = BY_HINT
    found = first_read(hinted_texts(values, linked, articles), latest)
    if found:
        return found
    source[0] = BY_WEAK_LINE
    return shown.day if has_shown else 0


cdef bint is_local_time(str text) except -1:
    """True for a text with a time that is not given in world time."""
    cdef str read = text[:MAX_TIME]
    return ":" in read and HAS_TIME(read) is not None and WORLD_TIME(read) is None


cdef Day one_time(dict values, Day latest) except -1:
    """The one day that all time elements of the page name, as far as they name one; 0 if they name several."""
    cdef Day found = 0, day
    for name in ("time in article", "time"):
        if name in values:
            for text in <list> values[name]:
                day = read_day(text, latest)
                if day and found and day != found:
                    return 0
                found = day or found
    return found


cdef list hinted_texts(dict values, list linked, int articles):
    """Texts that hint at the day of publication."""
    cdef list found = []
    cdef Day day
    cdef bint same = True
    if "time in article" in values and articles <= MANY_ARTICLES:
        text = (<list> values["time in article"])[0]
        day = first_day(text)
        # the end of an event is marked less well than its beginning
        if not day or day not in [first_day(each) for each in values.get("time in article elsewhere", [])]:
            found.append(text)
    if "time" in values:
        day = first_day((<list> values["time"])[0])
        for text in <list> values["time"]:
            same = same and first_day(text) == day
        if same:
            found.append((<list> values["time"])[0])
    if linked:
        for key in ("dateCreated", "uploadDate"):
            found += first_values(linked, key)
    return found


cdef Day day_in_script(str text) except -1:
    """The day of a value in a script, which begins with an ISO date or seconds or milliseconds since 1970."""
    cdef object match = ISO(text)
    if match is not None:
        return make_day(int(match[1]), int(match[2]), int(match[3]))
    match = UNIX_TIME(text)
    if match is None:
        return 0
    found = datetime.fromtimestamp(int(match[1]), UTC)
    return make_day(found.year, found.month, found.day)


cdef Day day_in_scripts(Document document, Day latest) except -1:
    """The one day of publication that the page's scripts name; 0 if they name several, as those of a list."""
    cdef Day found = 0, day
    for text in dates_in_scripts(document):
        day = day_in_script(text)
        if day and found and day != found:
            return 0
        found = day or found
    return found if found <= latest else 0


cdef Day modified(dict values, list linked, Day latest) except -1:
    """The day of the last change."""
    cdef list texts = first_values(linked, "dateModified")
    texts += values_under(values, MODIFIED)
    if "time modified" in values:
        texts.append((<list> values["time modified"])[0])
    return first_read(texts, latest)


# --- address, language ---

cdef str canonical_of(dict values, str url):
    """The address that the page names as its own, absolute where the page's is known."""
    cdef str found
    for key in ("canonical", "og:url"):
        if key not in values:
            continue
        for text in <list> values[key]:
            found = text
            if not found.startswith(("https://", "http://")):
                try:
                    base = urljoin(url or "", (<list> values["base"])[0]) if "base" in values else url or ""
                    found = urljoin(base, found)
                except ValueError:
                    continue
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
