# SPDX-License-Identifier: Apache-2.0
"""The days of publication and of the last change of a page, among all that its elements, address and text say."""

import re
from datetime import UTC, datetime

cimport cython

from thresher.native.facts.candidates cimport Grade, named_grades, number_of, put, put_grade, put_if, run_of
from thresher.native.facts.dates cimport MAX_DAYS, are_neighbours, first_day, is_iso, make_day, only_day
from thresher.native.facts.marks import MARKS
from thresher.native.facts.page_data cimport first_values, published_texts
from thresher.native.facts.script_dates import dates_in_scripts
from thresher.native.facts.shown_dates cimport CERTAIN

cdef enum:
    MANY_ARTICLES = 3       # articles of a page beyond which it is a list of them
    MANY_WORDS = 300        # of the main text of a page that is a text
    MANY_TIMES = 3          # time elements beyond which they are those of a list
    MAX_TIME = 64           # characters of a date and time that are read
    MOST_SCORE = 10         # of a line that is told apart
    MOST_SHOWN = 6          # different days of lines that are counted

# Names of meta elements, as describe.pyx has those of other facts.
DATES = (
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
WEAK_DATES = (
    "dc.date", "dcterms.date", "pub_date", "date", "published by suffix", "datecreated", "created", "published",
    "timestamp",
)
MODIFIED = (
    "article:modified_time", "datemodified", "og:updated_time", "dcterms.modified", "dc.date.modified",
    "article:modified", "og:article:modified_time", "last-modified", "lastmod", "last_updated", "date_modified",
    "revised", "modified",
)

cdef frozenset MARKED = frozenset((*DATES, "time published"))
cdef object WORLD_TIME = re.compile(r"[T ](\d\d):\d\d.*(?:Z|[+-]00:?00|GMT|UTC)\s*$").search
cdef object HAS_TIME = re.compile(r"\d[T ]+\d\d?:\d\d").search
cdef object UNIX_TIME = re.compile(r"(\d{10})(?:\d{3})?(?!\d)").match

cdef int SOURCE = run_of("day by ", (       # by Source
    "article", "meta", "data", "time", "address", "line near", "one time", "weak meta", "line", "script", "hint",
    "weak line",
))
cdef int FIRST_OF_JANUARY = number_of("first of January"), CHANGED_THEN = number_of("changed then")
cdef int CHANGED = number_of("changed"), OG_ARTICLE = number_of("og:article"), FEW = number_of("few words")
cdef int LIST = number_of("many articles"), ONE_ARTICLE = number_of("one article"), MANY = number_of("many words")
cdef int MONTH_IN_ADDRESS = number_of("month in address"), FRONT_PAGE = number_of("front page"), TIMES = number_of("many times")
cdef dict LINE_MARKS = {        # evidence by the mark of a line
    MARKS[name]: number_of(f"day: {name}")
    for name in ("published", "date", "details", "modified", "author", "elsewhere", "biography")
}
cdef int LABELLED = number_of("day: labelled"), LATER = number_of("day: later")
cdef const Grade* GRADES_LINE = named_grades([("day: short line", 30), ("day: middle line", 90), ("day: long line", 91)])
cdef int SCORE = run_of("day: score ", range(MOST_SCORE + 1)), SHOWN = run_of("day: shown ", range(MOST_SHOWN + 1))


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


cdef bint is_local_time(str text) except -1:
    """True for a text with a time that is not given in world time."""
    cdef str read = text[:MAX_TIME]
    return ":" in read and HAS_TIME(read) is not None and WORLD_TIME(read) is None


cdef Day day_in_script(str text) except -1:
    """The day of a value in a script, which begins with an ISO date or seconds or milliseconds since 1970."""
    cdef object match
    if is_iso(text):
        return first_day(text)
    match = UNIX_TIME(text)
    if match is None:
        return 0
    found = datetime.fromtimestamp(int(match[1]), UTC)
    return make_day(found.year, found.month, found.day)


cdef list values_under(dict values, tuple names):
    """All values under these names, in the order of the names."""
    return [text for name in names if name in values for text in <list> values[name]]


cdef bint needs_lines(dict values, list linked, bint has_address) except -1:
    """True if lines of the visible text may tell the day of publication better than elements, JSON-LD and address."""
    cdef list marked = [text for name, texts in values.items() if name in MARKED for text in <list> texts]
    for each in linked:
        marked += (<dict> each).get("datePublished", [])
    marked = [text for text in marked if first_day(text)]
    return not marked or (not has_address and all([is_near_midnight(text) for text in marked]))


@cython.final
cdef class PageDates:
    """The days of a page. After find(), `day` is that of publication, 0 for none."""

    cdef int find(self, Py_ssize_t headline, bint is_home) except -1:
        """Find the day of publication: as the page marks it, as its address has it, as it is shown, or by weaker marks.
        `headline` is the place where the headline ends, -1 if it is not known.
        """
        cdef list marked = self.marked()
        cdef Py_ssize_t i
        cdef Day first = 0, address = self.where.day, seen = 0, found
        for i in range(len(marked)):
            first = self.take(self.read(marked[i][1]), marked[i][0])
            if first:
                break
        # the other days of a front page are those of what it links to
        if is_home or (first and not is_near_midnight(marked[i][1])):
            return 0
        address = address if address <= self.latest else 0
        if self.lines is not None:
            self.lines.find_order(self.language, self.host)
            self.shown = self.lines.best_day(headline, self.latest, self.where.month)
        found = first or address
        if self.shown.score >= CERTAIN and not (found and found in self.lines.first_days(len(self.lines.lines) * MAX_DAYS)):
            seen = self.shown.day       # no line shows the day that was found
        if first:
            self.day = self.neighbour(first, marked[i + 1:], address, seen)
        elif address:
            self.take(seen if seen and are_neighbours(seen, address) else address, BY_ADDRESS)
        else:
            self.find_weaker()
        return 0

    cdef list marked(self):
        """Texts that are marked as the day of publication, each behind its source, the best first."""
        return [
            *[(BY_ARTICLE, text) for text in published_texts(self.linked, True)],
            *[(BY_META, text) for text in values_under(self.values, DATES)],
            *[(BY_DATA, text) for text in published_texts(self.linked, False)],
            *[(BY_TIME, text) for text in self.values.get("time published", [])[:1]],
        ]

    cdef Day neighbour(self, Day first, list marked, Day address, Day seen) except -1:
        """The day before or after the first one, if a mark in local time says so, or else the address or the visible
        text; otherwise the first one.
        """
        cdef Day found
        for _, text in marked:
            found = self.read(text)
            if found and are_neighbours(found, first) and is_local_time(text):
                return found
        if address and are_neighbours(address, first):
            return address
        return seen if seen and are_neighbours(seen, first) else first

    cdef int find_weaker(self) except -1:
        """Find a day that is neither marked nor in the address."""
        cdef bint certain = self.shown.score >= CERTAIN
        if certain and self.shown.near:
            self.take(self.shown.day, BY_LINE_NEAR)
            return 0
        if not certain and self.take(self.one_time(), BY_ONE_TIME):
            return 0
        if self.take(self.first_read(values_under(self.values, WEAK_DATES)), BY_WEAK_META):
            return 0
        if certain:
            self.take(self.shown.day, BY_LINE)
        elif not self.take(self.in_scripts(), BY_SCRIPT) and not self.take(self.first_read(self.hints()), BY_HINT):
            self.take(self.shown.day, BY_WEAK_LINE)
        return 0

    cdef Day take(self, Day day, Source source) noexcept:
        """Take a day, if there is one; returns it."""
        self.day, self.source = day, source
        return day

    cdef Day read(self, str text) except -1:
        """The first day that a text names; 0 if it names none or a later one."""
        cdef Day found = first_day(text)
        return found if found <= self.latest else 0

    cdef Day first_read(self, list texts) except -1:
        """The first day that one of the texts names."""
        cdef Day found
        for text in texts:
            found = self.read(text)
            if found:
                return found
        return 0

    cdef Day one_time(self) except -1:
        """The one day that all time elements of the page name, as far as they name one; 0 if they name several."""
        return only_day({self.read(text) for text in values_under(self.values, ("time in article", "time"))})

    cdef list hints(self):
        """Texts that hint at the day of publication."""
        cdef dict values = self.values
        cdef list found = [], times
        cdef Day day
        if "time in article" in values and self.articles <= MANY_ARTICLES:
            text = (<list> values["time in article"])[0]
            day = first_day(text)
            # the end of an event is marked less well than its beginning
            if not day or day not in [first_day(each) for each in values.get("time in article elsewhere", [])]:
                found.append(text)
        times = values.get("time", [])
        if len({first_day(text) for text in times}) == 1:
            found.append(times[0])
        for key in ("dateCreated", "uploadDate"):
            found += first_values(self.linked, key)
        return found

    cdef Day in_scripts(self) except -1:
        """The one day of publication that the page's scripts name; 0 if they name several, as those of a list."""
        cdef list texts = dates_in_scripts(self.document) if self.document is not None else []
        cdef Day day = only_day({day_in_script(text) for text in texts})
        return day if day <= self.latest else 0

    cdef Day changed(self) except -1:
        """The day of the last change, as elements and JSON-LD have it."""
        return self.first_read([
            *first_values(self.linked, "dateModified"), *values_under(self.values, MODIFIED),
            *self.values.get("time modified", [])[:1],
        ])

    cdef Candidates candidates(self, Day change):
        """The day of publication that was found, if one was, with what speaks for the page having one. `change` is the
        day of the last change.
        """
        cdef Candidates found = Candidates()
        cdef Evidence* evidence
        if not self.day:
            return found
        evidence = found.add(f"{self.day // 10000}-{self.day // 100 % 100:02}-{self.day % 100:02}", None)
        put(evidence, SOURCE + <int> self.source)
        put_if(evidence, FIRST_OF_JANUARY, self.day % 10000 == 101)
        if change:
            put(evidence, CHANGED_THEN if change == self.day else CHANGED)
        put_if(evidence, OG_ARTICLE, self.values.get("og:type", [""])[0] == "article")
        put_if(evidence, LIST, self.articles > MANY_ARTICLES)
        put_if(evidence, ONE_ARTICLE, self.articles == 1)
        put_if(evidence, MONTH_IN_ADDRESS, self.where.month == self.day // 100)
        put_if(evidence, FEW, 0 <= self.words < FEW_WORDS)
        put_if(evidence, MANY, self.words >= MANY_WORDS)
        if self.source in (BY_LINE_NEAR, BY_LINE, BY_WEAK_LINE):
            self.put_line(evidence)
        put_if(evidence, TIMES, len(self.values.get("time", [])) > MANY_TIMES)
        put_if(evidence, FRONT_PAGE, self.where.is_front_page)
        return found

    cdef int put_line(self, Evidence* evidence) except -1:
        """Add what the line of the day says of it."""
        for mark, number in LINE_MARKS.items():
            put_if(evidence, number, (self.shown.marks & <int> mark) != 0)
        put(evidence, SCORE + min(max(<int> self.shown.score, 0), <int> MOST_SCORE))
        put_if(evidence, LABELLED, self.shown.labelled)
        put_if(evidence, LATER, self.shown.before)
        put_grade(evidence, GRADES_LINE, self.shown.length)
        put(evidence, SHOWN + min(<int> len(self.lines.first_days(MOST_SHOWN)), <int> MOST_SHOWN))
        return 0
