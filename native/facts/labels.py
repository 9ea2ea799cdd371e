# SPDX-License-Identifier: Apache-2.0
"""Words of many languages that say what the text beside them is: an author, a day of the subject, a part of a title."""

from __future__ import annotations

from typing import Final


def _set_of(words: str) -> frozenset[str]:
    return frozenset(words.split("|"))


BYLINES: Final = {
    "en": "by|written by|posted by|published by|submitted by|started by|post by|story by|words by|text by|report by|"
    "reported by|author|authors|writer|reporter|interview|article by|topic starter|thread starter|opened by|"
    "petition by|recipe by|review by|authored by|curated by|created by|contributed by|compiled by|guest post by|"
    "guest post from|scooped by|a post by|an article by|column by|analysis by|blog by|asked by|about the author",
    "de": "von|geschrieben von|verfasst von|veröffentlicht von|ein artikel von|eingestellt von|erstellt von|"
    "gastbeitrag von|gefragt von|autor|autorin|autoren|text|redakteur|redakteurin|verfasser|verfasserin",
    "fr": "par|écrit par|publié par|posté par|message par|rédigé par|propos recueillis par|une tribune de|articles de|"
    "auteur|auteure|autrice|texte",
    "es": "por|escrito por|publicado por|redactado por|autor|autora|autores|texto",
    "pt": "por|escrito por|publicado por|postado por|autor|autora|autores|texto",
    "it": "di|da|scritto da|pubblicato da|a cura di|autore|autrice|testo",
    "ca": "per|escrit per|publicat per",
    "nl": "door|geschreven door|geplaatst door|gepubliceerd door|auteur|tekst",
    "sv": "av|skriven av|publicerad av|författare|skribent",
    "da": "af|skrevet af|udgivet af|forfatter|tekst",
    "no": "av|skrevet av|publisert av|forfatter|journalist",
    "fi": "kirjoittaja|kirjoittanut|teksti",
    "pl": "przez|napisane przez|autor|autorka|napisał|napisała|dodał|opublikował|tekst",
    "cs": "autor|autorka|napsal|napsal(a)|napsala|vložil",
    "sk": "autor|autorka|napísal",
    "hu": "írta|szerző",
    "ro": "scris de|publicat de|autor",
    "hr": "piše|napisao|napisala|autor|autorica",
    "tr": "yazan|yazar|haber",
    "az": "müəllif|müellif",
    "id": "oleh|ditulis oleh|penulis|reporter|editor",
    "vi": "bởi|tác giả|bài",
    "ru": "автор|написано автором|автор статьи|автор текста|текст|опубликовал|написал|беседовал|беседовала|"
    "интервью|создатель|от",
    "uk": "автор|авторка|текст|опублікував|написав",
    "bg": "автор|публикувано от",
    "sr": "аутор|пише|autor|piše",
    "sq": "nga|shkruar nga|postuar nga|përshtati|autori|shkroi",
    "el": "του|της|από|γράφει|γράφει ο|γράφει η|συντάκτης|συγγραφέας|αρθρογράφος",
    "ar": "نشرت من قبل|إعداد|اعداد|تحرير|بقلم|كتب|كتبت|الكاتب|كُتب بواسطة|بواسطة",
    "fa": "نویسنده|نوشته",
    "he": "מאת|כתב|נכתב על ידי",
    "th": "ผู้เขียน|โดย|เขียนโดย",
    "zh": "作者|撰文|记者|記者|本报记者|本報記者|文|撰稿|发布者|發布者|发布人|楼主|撰寫者|編譯|编译|原作者|"
    "发信人|發信人|由",
    "ja": "担当|評者|文|著者|執筆者|執筆|投稿者|筆者|ライター|取材・文",
    "ko": "작성자|글쓴이|기자명|기자|글",
}
"""What stands before an author's name, in lower case."""

BYS_INSIDE: Final = frozenset(
    ["by", "von", "par", "por", "di", "da", "cura", "door", "av", "af", "przez", "yazan", "oleh"]
)
"""What stands before an author's name inside a line too, in ASCII."""

BYS_ELSEWHERE: Final = frozenset(["автор", "bởi"])
"""What stands there that is not ASCII,"""

BYS_UNSPACED: Final = ("作者", "发布者", "發布者", "撰文")
"""and what may stand there behind other letters."""

BEFORE_BY: Final = _set_of(
    "written|story|words|text|report|reporting|posted|published|posté|publié|geschrieben|ein artikel|artikel|article|"
    "eingestellt|veröffentlicht|escrito|publicado|scritto|a cura"
)
"""What may stand before "by" at the beginning of a line, in lower case."""

WRITTEN: Final = _set_of(
    "written|post|article|blog|column|essay|story|review|text|rédigé|rédigée|écrit|écrite|recueillis|escrito|escrita|"
    "scritto|scritta|geschrieben|verfasst"
)
"""What stands before "by" in a sentence that says who wrote something, in lower case."""

SOURCES: Final = _set_of(
    "source|from|quelle|fuente|fonte|источник|источники|джерело|来源|來源|πηγή|kaynak|المصدر|źródło|zdroj|zdroje|bron|källa|"
    "kilde|출처|sursa|burimi|nguồn|منبع|מקור|出典|via"
)
"""What stands before a colon and the agency, paper or site that a text was taken from, in lower case."""

PUBLISHED: Final = {
    "en": "posted|written|created|submitted|uploaded|effective|docketed",
    "de": "veröffentlicht|erschienen|erstellt|datum|geschrieben|gepostet|gespeichert",
    "fr": "publié|mis en ligne|mise en ligne|paru le|parution|rédigé le|posté|ajouté|diffusé|"
    "date de diffusion|contribution le",
    "es": "publicad|fecha|subido el|colgado el|creado el|escrito el",
    "pt": "postado|escrito em|criado em|inserido em",
    "it": "pubblicat|scritto il|inserito il|postato|creato il",
    "nl": "gepubliceerd|geplaatst|toegevoegd|verschenen",
    "sv": "publicerad|upplagd|skapad",
    "da": "udgivet|oprettet|offentliggjort",
    "no": "publisert|lagt|opprettet",
    "fi": "julkaistu|luotu|lähetetty",
    "pl": "opublikowan|dodano|utworzono|wysłany|data dodania",
    "cs": "zveřejněn|vydáno|vložen|přidáno|vytvořeno",
    "sk": "publikov",
    "hu": "megjelen|közzét|feltöltve|létrehozva",
    "ro": "postat|adăugat",
    "hr": "objavljeno|postavljeno|napisano",
    "sr": "објављено|постављено|datum objave",
    "sq": "postuar|publikuar",
    "tr": "yayın|tarih|eklenme|eklendi|oluşturma",
    "id": "diterbitkan|tanggal|diposting|dipublikasikan|diunggah",
    "vi": "đăng",
    "ru": "опубликован|дата|публик|добавлен|размещ|создан|написан",
    "uk": "додано|розміщено|опубліковано|створено",
    "be": "апублікавана|дададзена",
    "bg": "добавен|създаден",
    "el": "δημοσ|καταχωρ|ανάρτηση|αναρτήθηκε",
    "ar": "نشر|تاريخ|أضيف|اضيف|بتاريخ|كتب في",
    "fa": "تاریخ|انتشار|ارسال",
    "he": "תאריך|פורסם|הועלה|נכתב",
    "hi": "प्रकाशित",
    "th": "วันที่|เผยแพร่",
    "zh": "发布|发表|發佈|發表|日期|时间|上传|上傳|刊登|录入|信息提供|成文|创建|發帖|发帖",
    "ja": "時間|日時|公開日|掲載|投稿日|作成日|配信|投稿|登録日|作成|アップロード",
    "ko": "입력|등록|게시|작성일|승인|기사입력|날짜|올린",
}
"""Beginnings of words before the day on which a page was published, in lower case. line_labels.pyx has shorter ones,
for a first look, and those that count only in some forms.
"""

CHANGED: Final = {
    "en": "updat|modified|revised|revision|last change|reviewed|amended",
    "de": "aktualisi|geändert|änderung|bearbeitet|überarbeitet",
    "fr": "mis à jour|mise à jour|mises à jour|modifi|actualis|révisé|révision",
    "es": "actualiz|modific|revisado|revisada|revisión",
    "pt": "atualiz|modific|alterado|revisado|revisão",
    "it": "aggiorn|modific",
    "ca": "actualitz",
    "nl": "bijgewerkt|gewijzigd|aangepast|laatste wijziging",
    "sv": "uppdaterad|ändra",
    "da": "opdateret|ændret",
    "no": "oppdatert|endret",
    "fi": "päivitetty|muokattu|muutettu",
    "pl": "aktualiz|zaktualizow|zmieniono|zmodyfikow",
    "cs": "změněn|upraveno|poslední změna",
    "sk": "zmenené|upravené",
    "hu": "frissít|módosít",
    "ro": "actualizat|modificat|actualizare",
    "hr": "ažurira|izmijenjen",
    "sr": "ажурира|измењен|izmenjen",
    "tr": "güncelle|değiştiril",
    "az": "yenilən",
    "id": "diperbarui|diubah|pembaruan",
    "vi": "cập nhật|sửa đổi",
    "ru": "обновл|изменен|изменён|изменение|редакция от",
    "uk": "оновл|змінен",
    "bg": "обновен|променен",
    "el": "ενημ|τροποποι",
    "ar": "تحديث|تعديل",
    "fa": "به روز رسانی|بروزرسانی|به‌روزرسانی|ویرایش",
    "he": "עודכן|עדכון",
    "th": "แก้ไข|อัปเดต|ปรับปรุง",
    "hi": "अद्यतन|अपडेट|संशोधित",
    "zh": "更新|修改|修订|修訂|最后编辑|最後編輯",
    "ja": "更新|改訂|改定|修正",
    "ko": "수정|업데이트|갱신",
}
"""Beginnings of words before the day of a page's last change, in lower case."""

READ: Final = {
    "en": "edited|accessed|retrieved|printed",
    "de": "abgerufen|gedruckt",
    "fr": "consulté|imprim|édité",
    "es": "editado|consultado",
    "pt": "editado|acessado",
    "it": "consultato",
    "nl": "geraadpleegd",
    "pl": "edytow|dostęp",
    "ru": "отредактир|дата обращения|распечатано",
    "zh": "编辑于|編輯於|访问日期|訪問日期",
    "ja": "閲覧日|印刷日",
}
"""Beginnings of words before a day on which somebody read a page, printed it, or went over a part of it."""

TODAY: Final = {
    "en": "today|today's|current date|current time",
    "de": "heute|aktuelles datum",
    "fr": "aujourd'hui|aujourd’hui|nous sommes le",
    "es": "hoy",
    "pt": "hoje",
    "it": "oggi è",
    "nl": "vandaag",
    "sv": "idag är det",
    "pl": "dzisiaj|dziś|dzisiejsza data",
    "cs": "dnes je",
    "sk": "dnes je",
    "hu": "ma van|mai dátum",
    "ro": "astăzi",
    "hr": "danas",
    "tr": "bugün",
    "id": "hari ini",
    "vi": "hôm nay",
    "ru": "сегодня|сейчас",
    "uk": "сьогодні",
    "bg": "днес",
    "el": "σήμερα",
    "ar": "اليوم",
    "fa": "امروز",
    "he": "היום",
    "th": "วันนี้",
    "hi": "आज",
    "zh": "今天|今日|现在时间|当前时间",
    "ja": "今日|本日|現在時刻",
    "ko": "오늘|현재시간",
}
"""What a line begins with that has the day on which it is read, in lower case."""

SUBJECTS: Final = {
    "en": "born|died|launched|founded|established|opened|incorporated|birthday|date of birth|built in|commissioned|"
    "start|start date|starts|end date|event date|when|closing date|deadline|expires|valid until|check-in|departure|"
    "release date",
    "de": "geboren|geb.|gestorben|gegründet|eröffnet|stapellauf|beginn|wann|anmeldeschluss|gültig bis|läuft ab",
    "fr": "né le|née le|né à|née à|mort le|morte le|fondé|fondée|lancé|lancée|inauguré|naissance|décès|date limite",
    "es": "nació|nacido|nacida|nacimiento|murió|fallecimiento|fundado|fundada|fundación|inaugurado|inaugurada",
    "pt": "nasceu|nascido|nascida|nascimento|morreu|morte|fundado|fundada|fundação|inaugurado|inaugurada",
    "it": "nato il|nata il|nascita|morto|morta|morte|fondato|fondata|fondazione|inaugurato|inaugurata",
    "nl": "geboren|overleden|opgericht|geopend|sterfdatum",
    "sv": "född|grundades|invigdes",
    "pl": "urodzony|urodzona|urodził|data urodzenia|zmarł|zmarła|założony|założona|data założenia",
    "ru": "родился|родилась|дата рождения|умер|умерла|основан|основана|основано",
    "zh": "出生|生于|逝世|成立于|创立|創立|成立日期|出生日期",
    "ja": "生年月日|没年月日|設立|創業|創立|開館|発売日|開催日",
    "ko": "출생|사망|설립|창립|개관",
    "tr": "doğum|ölüm|kuruluş",
}
"""What stands before a day of what the page is about, not of the page, in lower case."""

DATE_FILLERS: Final = _set_of(
    "th|st|nd|rd|of|the|der|den|er|ᵉʳ|de|du|del|do|da|di|e|ste|του|η|ης|г|год|года|го|ое|р|року|рік|m|d|mėn|metų|g|"
    "gada|a|én|ko|eko|an|ren|il|ci|cı|cu|cü|yil|ж|жыл|жылы|më|năm|o|r|roku|leta|god|թ|წ|ya|من|عام|م|ماه|سال|ء|ב|ל|של|"
    "พ.ศ|ค.ศ|ปี|को|年|月|日|년|월|일|mon|tue|tues|wed|thu|thur|fri|sat|sun|lun|mer|jeu|ven|sam|dim"
)
"""Words, endings of numbers and days of the week that may stand between day, month and year, in lower case."""

NUMBERED: Final = _set_of(
    "issue|no|nr|nº|n|num|vol|volume|part|chapter|episode|edition|ausgabe|heft|band|teil|folge|nummer|numéro|numero|"
    "número|tome|tomo|выпуск|том|номер|top"
)
"""Words before a number that is no day, though a month may follow, in lower case."""

WEEKDAYS: Final = _set_of(
    "on|at|in|le|am|em|el|il|dne|den|vom|op|dnia|tarihinde|"
    "mon|monday|tue|tues|tuesday|wed|wednesday|thu|thur|thurs|thursday|fri|friday|sat|saturday|sun|sunday|"
    "montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag|"
    "lun|mar|mer|jeu|ven|sam|dim|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|"
    "lunes|martes|mié|miércoles|jue|jueves|vie|viernes|sáb|sábado|dom|domingo|"
    "lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|"
    "segunda|terça|quarta|quinta|sexta|feira|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|"
    "понеділок|вівторок|середа|четвер|п'ятниця|неділя|пн|вт|ср|чт|пт|сб|вс|понедельник|вторник|среда|четверг|пятница|суббота|воскресенье|"
    "poniedziałek|wtorek|środa|czwartek|piątek|sobota|niedziela|pon|wt|śr|czw|pt|sob|ndz"
)
"""What stands before a date: "on", and the names of the days of the week, in lower case."""

ATTRIBUTES: Final = {
    "rel author": "author",
    "rel canonical": "canonical",
    "item published": "datepublished datecreated",
    "item dated": "*datepublished* *datecreated*",
    "item modified": "*modified*",
    "item answer": "*review* *comment*",
    "class published": "*publish*",
    "class dated": "*entry-date* *pubdate*",
    "class modified": "*updated* *modified*",
    "class kicker": "*kicker* *rubri* *dachzeile* *eyebrow* *overline* *topline*",
    "style block": "*block*",
    "logo": "*logo*",
    "type feed": "*rss* *atom*",
    "rel search": "*search*",
}
"""What words of attributes say: rows of a table of words (native/base/word_table.pxd)."""

SITE_ELEMENTS: Final = (
    "og:site_name", "application-name", "apple-mobile-web-app-title", "dc.publisher", "dcterms.publisher", "publisher",
)  # fmt: skip
"""Names of meta elements that give the site's name, the best first."""

AUTHOR_ELEMENTS: Final = (
    "author", "article:author", "article:author_name", "dc.creator", "dcterms.creator", "citation_author",
    "citation_authors", "parsely-author", "sailthru.author", "byl", "creator", "authors", "og:author",
    "og:article:author", "dable:author", "shareaholic:article_author_name", "cxenseparse:author",
    "dc.creator.personalname", "mediator_author",
)  # fmt: skip
"""Names of meta elements that give the author."""

TITLE_ELEMENTS: Final = (
    "og:title", "twitter:title", "headline", "dc.title", "dcterms.title", "citation_title", "parsely-title",
)  # fmt: skip
"""Names of meta elements that give the headline."""

HOMES: Final = _set_of(
    "home|homepage|home page|main page|start|startseite|accueil|inicio|início|página inicial|página principal|hem|"
    "hjem|forside|etusivu|strona główna|domů|úvod|főoldal|acasă|ana sayfa|anasayfa|beranda|trang chủ|главная|головна|"
    "начало|αρχική|αρχικη|الرئيسية|خانه|בית|หน้าแรก|首页|首頁|ホーム|トップ|トップページ|홈|menu|menü|menü öffnen|"
    "navigation|search|suche|recherche|index|welcome|willkommen|bienvenue|bienvenidos"
)
"""What front pages and menus are called, which says nothing of a page."""

VIEWS: Final = (
    "view topic|view thread|viewing topic|consulter le sujet|voir le sujet|ver tema|ver tópico|thema anzeigen|"
    "leggi argomento|просмотр темы|konuyu görüntüle|zobacz temat|onderwerp bekijken"
)
"""What forums call the page of a thread, in its title, before a dash or a colon."""

THREADS: Final = (
    "thread|topic|sujet|thema|tema|argomento|onderwerp|temat|тема|主题|主題|forum|category|category archives|"
    "tag archives|archives|kategorie|catégorie|categoría|opinion|opinión|opinião"
)
"""What stands before a colon and the title of a thread or a list."""

PAGES: Final = "page|seite|pagina|página|strona|сторінка|страница|sayfa|sida|oldal"
"""What a number of a page of a thread follows."""

NO_HOLDERS: Final = (
    "all|alle|tous|todos|tutti|the|website|site|company|home|information|"
    "(?:copyright|designed|theme|your|rights?|reserved|terms|privacy|notice|policy|by)(?:\\s.*)?|"
    "(?:all|alle|tous|todos|tutti) (?:the )?(?:contents?|diritti|droits|images|inhalte|logos|los|materials?|os|other|"
    "pages|photos|rechte|rights?|text|trade ?marks|works)(?:\\s.*)?|"
    "the (?:above|authors?|company|contents?|copyright|following|images|information|materials?|original|owners?|"
    "respective|site|text|website|works?)(?:\\s.*)?|"
    "(?:website|site) (?:built|by|content|created|credits?|design|designed|developed|map|powered|réalisé)(?:\\s.*)?|"
    "company (?:info|information|name|no|number|reg|registered|registration)(?:\\s.*)?|"
    "home (?:about|contact|page)(?:\\s.*)?|"
    "information (?:&|about|and|contained|for|in|is|of|on)(?:\\s.*)?"
)
"""What follows a sign of copyright and is nobody's name, as a pattern."""

ARCHIVES: Final = (
    "archive.org|archive-it.org|arquivo.pt|webarchive.nationalarchives.gov.uk|webarchive.org.uk|webarchive.loc.gov|"
    "webarchive.parliament.uk|web.archive.bibalex.org|webarchive.bac-lac.gc.ca|vefsafn.is|webarchiv.cz|"
    "perma-archives.org|swap.stanford.edu|archive.today|archive.is|archive.ph"
)
"""Hosts of archives that replay pages; the page's own address is the end of its address there."""

READ_COUNTS: Final = (
    "read|gelesen|lu|leído|lido|lida|letto|gelezen|läst|læst|lest|luettu|przeczytany|přečteno|prečítané|megtekintve|"
    "citit|прочитано|просмотров|прочетена|okunma|αναγνώστηκε|閲覧|阅读|閱讀|조회|views|vues|aufrufe"
)
"""What stands in brackets behind the title of a thread, before or behind how often it was read,"""

TIMES: Final = (
    "times|time|mal|fois|veces|vez|vezes|volte|volta|keer|gånger|gange|ganger|kertaa|razy|raz|krát|alkalommal|ori|раз|раза|"
    "пъти|defa|kez|φορές|回|次|번"
)
"""and what may stand behind that number."""

UNTITLED: Final = _set_of(
    "untitled|untitled document|untitled page|untitled normal page|new page|new document|page title|no title|title|"
    "insert title here|your title here|title goes here|default title|document|blank page|react app|vite app|"
    "unbenanntes dokument|unbenannt|neue seite|ohne titel|kein titel|document sans titre|document sans nom|sans titre|"
    "sans nom|nouvelle page|page sans titre|documento sin título|documento sin titulo|sin título|página nueva|"
    "nueva página|documento sem título|sem título|nova página|documento senza titolo|senza titolo|nuova pagina|"
    "naamloos document|naamloos|nieuwe pagina|namnlöst dokument|namnlös|ny sida|ikke-navngivet dokument|ny side|"
    "nimetön|uusi sivu|dokument bez tytułu|dokument bez nazwy|bez tytułu|nowa strona|nepojmenovaný dokument|bez názvu|"
    "nová stránka|névtelen dokumentum|névtelen|új lap|document fără titlu|fără titlu|pagină nouă|adsız belge|"
    "isimsiz belge|adsız|yeni sayfa|документ без названия|без названия|новая страница|безымянный документ|"
    "документ без назви|без назви|нова сторінка|έγγραφο χωρίς τίτλο|χωρίς τίτλο|νέα σελίδα|مستند بدون عنوان|"
    "بدون عنوان|صفحة جديدة|מסמך ללא שם|ללא כותרת|无标题文档|无标题|无标题页|新建网页|無標題文件|無標題|新網頁|"
    "無題ドキュメント|無題|新規ページ|新しいページ|제목 없음|제목 없는 문서|새 페이지"
)
"""What programs call a page that nobody named, in lower case, without the number that some add."""

KICKERS: Final = {
    "en": "opinion|analysis|interview|editorial|comment|commentary|column|review|exclusive|breaking|breaking news|live|"
    "live updates|video|watch|listen|podcast|gallery|in pictures|feature|long read|explainer|fact check|blog|sponsored|"
    "obituary|letters|letter|poll|quiz|report|essay|news|update|updated|premium",
    "de": "meinung|kommentar|analyse|interview|reportage|glosse|leitartikel|kolumne|exklusiv|liveticker|essay|porträt|"
    "gastbeitrag|rezension|umfrage|eilmeldung|hintergrund|bildergalerie|anzeige",
    "fr": "opinion|opinions|tribune|analyse|entretien|interview|éditorial|édito|chronique|exclusif|reportage|vidéo|"
    "direct|en direct|enquête|portrait|décryptage|critique|infographie|sondage|billet",
    "es": "opinión|análisis|entrevista|editorial|columna|tribuna|exclusiva|vídeo|video|directo|en directo|en vivo|"
    "reportaje|crónica|última hora|perfil|crítica|encuesta",
    "pt": "opinião|análise|entrevista|editorial|coluna|exclusivo|vídeo|ao vivo|reportagem|crônica|crónica|perfil|"
    "crítica",
    "it": "opinione|opinioni|analisi|intervista|editoriale|commento|esclusiva|diretta|reportage|inchiesta|recensione",
    "nl": "opinie|analyse|interview|column|reportage|commentaar|exclusief|liveblog|recensie|achtergrond",
    "sv": "ledare|krönika|debatt|intervju|analys|insändare|reportage|recension",
    "da": "leder|kronik|debat|interview|analyse|anmeldelse",
    "no": "leder|kronikk|debatt|intervju|analyse|anmeldelse|kommentar",
    "pl": "opinia|opinie|analiza|wywiad|felieton|komentarz|reportaż|wideo|na żywo|tylko u nas|recenzja|sondaż",
    "cs": "komentář|rozhovor|analýza|názor|recenze|reportáž|glosa|živě|exkluzivně",
    "tr": "yorum|analiz|röportaj|özel haber|canlı|son dakika|köşe yazısı|görüş",
    "ru": "мнение|мнения|анализ|интервью|колонка|эксклюзив|репортаж|видео|фото|онлайн|срочно|рецензия|опрос",
    "uk": "думка|аналіз|інтерв'ю|колонка|ексклюзив|репортаж|відео|фото|терміново",
    "el": "άποψη|ανάλυση|συνέντευξη|βίντεο|αποκλειστικό",
    "ar": "رأي|تحليل|حوار|فيديو|عاجل|خاص|تقرير",
    "zh": "评论|評論|社论|社論|独家|獨家|快讯|快訊|视频|影片|观点|觀點|专访|專訪|分析",
    "ja": "社説|論説|速報|独自|動画|解説|特集|コラム",
    "ko": "사설|칼럼|단독|속보|인터뷰|영상|분석|기고",
}
"""What may stand before a headline, in an element of its own, and says what kind of text follows, in lower case."""

NO_NAME_BEGINNINGS: Final = _set_of(
    "view|visit|see|more|all posts|all rights|posts by|read|show|follow|tags|tag|category|filed|leave a|log in|sign in|"
    "contact|click|voir|ver|alle|zum|mehr|share|edit|reply|report|send|print|photo by|photograph|image|"
    "copyright|©|website"
)
"""What links and buttons beside a name begin with, in lower case."""

INSTITUTES: Final = _set_of(
    "institute|institut|instituto|istituto|instituut|university|universität|université|universidad|universidade|"
    "università|universiteit|ministry|ministerium|ministère|ministerio|ministério|ministero|department|departamento|"
    "département|centre|center|centro|zentrum|agency|agencia|agência|agence|council|commission|comisión|committee|"
    "comité|foundation|fundación|fondation|fondazione|stiftung|association|asociación|associação|society|sociedad|"
    "academy|academia|office|bureau|federation|federación|museum|museo|bank|banco|group|company|college|school|"
    "escuela|nations|faculty|authority|laboratory|hospital|secretaría|secretaria|dirección|gobierno|ayuntamiento|"
    "bundesamt|landesamt|verband|gesellschaft|fakultät|fundação|prefeitura|институт|министерство|университет|"
    "управление|департамент|академия|instytut|uniwersytet|ministerstwo|fundacja|stowarzyszenie"
)
"""Words of names that "and" does not divide."""

PARTICLES: Final = _set_of("de|van|von|der|la|da|di|al|el|bin|dos|del|y|e|le|du|den|ter|af|zu")
"""Words of names that have no capital."""

JOINERS: Final = _set_of("avec|and|und|et|y|e|en|og|och|i|a|и|та|ja|ve|dan|và|&|with|mit")
"""What stands between two names."""

JOINERS_INSIDE: Final = _set_of("y|e|i")
"""Those that also stand between the two surnames of one person."""

HONORIFICS: Final = _set_of("mr|mrs|ms|herr|frau|mme|mlle|m|sr|sra|pan|pani|د|أ|أ.د|ا.د|م")
"""What stands before a name and is no part of it, in lower case, without the full stop behind it."""

FIRST_NAMES_TOO: Final = _set_of("per|nga|di|da|von|af|av|por|par|oleh|see|alle|pan|m")
"""Words before names, in lower case, that are themselves what a name begins with: Per Olsson, Von Miller, M. Lee."""

BEFORE_WORK: Final = _set_of("at|for|para|für|pour|in|à|aus")
"""What stands between a name and where the person works."""

BEFORE_THINGS: Final = (
    "the ", "a ", "an ", "der ", "die ", "das ", "le ", "la ", "les ", "los ", "las ", "el ", "il ", "in ", "on ",
    "at ", "for ", "to ", "with ",
)  # fmt: skip
"""What a text begins with that names a thing or a place, not a person, in lower case."""

ORGANISATIONS: Final = _set_of(
    "staff|daily|news|newsroom|times|reporter|reporters|editor|editors|editorial|team|équipe|press|agency|media|"
    "magazine|desk|board|developer|admin|redaktion|redacción|redazione|rédaction|редакция|correspondent|service|"
    "group|inc|llc|ltd|gmbh|network|online"
)
"""Words of names of editorial staffs and the like, in lower case."""

NOBODY: Final = _set_of(
    "admin|administrator|webmaster|editor|editors|staff|author|user|guest|root|anonymous|unknown|null|none|n/a|na|"
    "undefined|wordpress|redaktion|redaction|redacción|redazione|rédaction|by|von|share|follow|updated|published|"
    "posted|comment|comments|facebook|twitter|email|e-mail|print|advertisement|read more|last updated|no comments|"
    "sponsored|size|sponsor|contributor|contributors|correspondent|guest user|in chief|guest author|prensa|nome|name|"
    "youtube|google+|login|log in|offline|online|username|user name|full name|profile|profil|super admin|superadmin|"
    "superuser|super user|moderator|member|membre|mitglied|nom|overview|donate|date|著者|イラスト|作者|楼主|記者|"
    "记者|本报记者|posté le|publié le|person in charge|all rights reserved|佚名|匿名|发表于|发表时间|发布时间|"
    "只看该作者|倒序浏览|登录|注册|网络|互联网|原创|本站|プロフィール|総合|投稿日|회원가입|로그인|войти|регистрация|"
    "зарегистрироваться|related articles|related posts|par|takip et|your name|تسجيل الدخول|评论数|评论|主页"
)
"""What stands where a name would and is nobody's: accounts of staff, buttons and labels, in lower case."""

SECTIONS: Final = _set_of(
    "news|sport|sports|football|soccer|politics|business|opinion|opinions|world|culture|local|national|international|"
    "economy|technology|tech|health|science|entertainment|lifestyle|travel|video|videos|blog|features|editorial|"
    "magazine|magazin|nachrichten|politik|wirtschaft|kultur|gesellschaft|meinung|wissen|actualités|actualité|"
    "politique|économie|société|noticias|política|economía|deportes|cultura|sociedad|economia|esportes|esporte|mundo|"
    "brasil|notizie|sport news|wiadomości|новости|политика|спорт|экономика|общество|haber|gündem|spor|新闻|新聞|"
    "ニュース"
)
"""Names of sections of a site, which are nobody's."""

PICTURES: Final = _set_of(
    "photo|photos|photograph|photography|photographer|photographie|foto|fotos|fotografie|fotografía|image|images|bild|bilder|"
    "picture|picture|courtesy|credit|crédit|crédito|getty|illustration|illustrated|illustrator|video|zdjęcie|zdjęcia|фото|"
    "иллюстрация"
)
"""Words beside a name that is rather that of who made the pictures."""

COUNTED: Final = _set_of(
    "comment|comments|reply|replies|view|views|share|shares|like|likes|min|mins|minute|minutes|kommentar|kommentare|"
    "minuten|commentaire|commentaires|réponses|vues|comentario|comentarios|respuestas|vistas|minutos|comentário|"
    "comentários|visualizações|commento|commenti|minuti|reactie|reacties|reaktioner|kommentarer|komentarz|komentarze|"
    "komentarzy|odpowiedzi|komentář|komentáře|komentářů|yorum|dakika|комментарий|комментария|комментариев|коментар|"
    "коментарів|просмотров|минут|σχόλια|komentar|komentara|hozzászólás|comentarii|תגובות"
)
"""What follows a number of answers, readers or minutes beside a name, in lower case."""

BEHIND_NAMES: Final = {
    "zh": "发表于|發表於|发布于|發佈於|发布在|我要评论|我要评论( )",
    "ko": "입력|기사입력|승인|등록",
    "ar": "في|فى",
    "ru": "написал|написала|пишет",
    "fr": "a écrit",
}
"""What stands behind an author's name and belongs to a date, a button or an answer, in lower case."""

ROLES: Final = {
    "en": "professor|co-founder|cofounder|founder|director|president|ceo|cto|instructor|lecturer|researcher|senior|"
    "associate|assistant|executive|gardener",
    "de": "professor|professorin|geschäftsführer|geschäftsführerin|leiter|leiterin|rechtsanwalt|rechtsanwältin",
    "fr": "professeur|professeure|docteur|docteure|maître|maîtresse|directeur|directrice|inspecteur|inspectrice|avocat|"
    "avocate|chercheur|chercheuse|psychologue|président|présidente|doctorant|doctorante",
    "es": "profesor|profesora|director|directora|doctor|doctora|investigador|investigadora|abogado|abogada|presidente|"
    "presidenta|catedrático|catedrática",
    "pt": "professor|professora|diretor|diretora|doutor|doutora|advogado|advogada|pesquisador|pesquisadora",
    "it": "professore|professoressa|direttore|direttrice|avvocato|ricercatore|ricercatrice|presidente",
    "nl": "hoogleraar|directeur|onderzoeker|docent",
    "ru": "кандидат|доктор|профессор|доцент|канд|директор|руководитель|преподаватель|врач|психолог|адвокат",
    "uk": "кандидат|доктор|професор|доцент|директор|керівник|викладач",
    "pl": "profesor|doktor|dyrektor|adwokat|redaktor",
    "tr": "profesör|doçent|müdürü|avukat",
    "ko": "교수|명예교수|기자|대표|위원|논설위원|원장|변호사|소장|박사|의원|연구원|연구위원|작가|시인|칼럼니스트|pd|"
    "대학생|평론가|편집장|에디터|특파원|세무사|회장|사무총장|이사장|이사|목사|신부|스님",
}
"""Words for what a person is, which may stand behind a name with nothing between, in lower case."""

ROLES_BEHIND: Final = ("기자", "특파원", "記者", "记者", "撰文", "編輯", "编辑")
"""Roles that a line with a name ends with."""

WRITERS: Final = (
    "writer|reporter|editor|correspondent|columnist|contributor|journalist|photographer|producer|analyst|critic|"
    "redakteur|redakteurin|journaliste|periodista|giornalista"
)
"""Who writes, behind a name or apart from it, in lower case."""

OFFICES: Final = (
    "director|president|ceo|cto|founder|manager|professor|coordinator|officer|strategist|consultant|specialist|intern|"
    "chair|chairman|secretary|directeur|directrice|président|directora|profesor|profesora"
)
"""What else a person is behind a name and a comma, in lower case."""

TAILS: Final = _set_of(
    f"{WRITERS}|press|ap|reuters|afp|dpa|upi|bloomberg|news|images|today|network|redactor|redacteur|feed|profile|updated|"
    "follow|following"
)
"""Last words of roles, agencies and buttons behind a name, in lower case."""

TAILS_ELSEWHERE: Final = (
    "tarafından", "기자", "특파원", "작가", "교수", "칼럼니스트", "논설위원", "세무사", "변호사", "평론가", "편집장",
    "에디터", "記者", "记者", "编辑", "編集委員", "报道", "報道", "さん",
)  # fmt: skip
"""What stands there that is not ASCII."""

SIGNING: Final = (
    "记者", "記者", "通讯员", "通訊員", "撰文", "撰稿", "作者", "文", "執筆", "编译", "編譯", "ライター", "著者",
    "기자", "특파원", "논설위원", "【",
)  # fmt: skip
"""What a dateline or signature of a Chinese, Japanese or Korean paper has."""

NOT_SIGNED: Final = _set_of(
    "字体|来源|日期|时间|图集|编辑|获悉|获取|了解到|发表时间|表示|采访|报道|看到|注意到|发布|浏览|来源于|字號|來源|編輯|發布|"
    "责任编辑|校对|通讯员|记者"
)
"""What stands where a dateline has a name and is none."""

BEFORE_AGO: Final = (" about", " asked", " answered", " posted", " replied", " updated")
"""What stands between a name and how long ago something was."""

ANSWERING: Final = _set_of(
    "said|says|reply|replied|replies|comment|comments|commented|wrote|dit|répondre|schrieb|sagt|dijo|responder"
)
"""Words beside the name of somebody who answers or is quoted, in lower case."""

COMPANIES: Final = _set_of(
    "ltd|limited|plc|llc|inc|incorporated|gmbh|ag|corp|corporation|company|sarl|sas|srl|spa|sro|doo|bv|oy|aps|kg|pty|"
    "llp|webdesign|design|designs|hosting|studio|studios|solutions|theme|themes|template|templates|wordpress|joomla|"
    "drupal"
)
"""Last words of names of companies and of those who made the site."""

MAKERS: Final = _set_of(
    "webdesign|webdesigner|werbeagentur|internetagentur|webagentur|medienagentur|interaktywna|webstudio|вебстудия|"
    "webbureau|webbyrå|webhosting"
)
"""Words in names of those who made the site."""

MEDIA_ENDS: Final = _set_of(
    "新闻网|新闻|新聞網|新聞|日报|日報|晚报|晚報|时报|時報|在线|資訊|资讯|频道|頻道|网站|網站|中文网|网|網|"
    "ニュース|新聞社|オンライン|온라인|뉴스|신문|일보"
)
"""What may stand behind a medium's name in the name of its site."""


_RESERVED = _set_of(
    "all rights reserved|copyright|©|®|powered by|bản quyền thuộc về|все права защищены|her hakkı saklıdır|"
    "alle rechte vorbehalten|版权所有|版權所有|tous droits réservés|todos los derechos reservados|logo|homepage|"
    "home page|جميع الحقوق محفوظة|home|rss feed|rss|feed"
)
RESERVED: Final = tuple(sorted(_RESERVED, key=lambda text: (-len(text), text)))
"""What stands before or behind a name in a line of rights, or in a link to the front page, in lower case."""

SECOND_LEVELS: Final = _set_of("co|com|org|net|gov|edu|ac|or|ne|go|gob|gouv|gub|mil")
"""Labels of hosts that belong to a suffix: co.uk."""


HEADLINE_WORDS: Final = {
    "title": "title titles headline heading subject titel titulo titre titolo",
    "name": "name",
    "post": "post entry blog",
    "product": "product item",
    "page": "page",
    "article": "article story news recipe content main",
    "logo": "logo brand branding",
    "site": "site",
    "side": "widget sidebar side aside",
    "navigation": "nav navigation navbar menu tab tabs",
    "head": "header head top masthead",
    "foot": "footer foot bottom copyright",
    "modal": "modal popup dialog cookie overlay",
    "related": "related teaser card list listing recent popular",
    "trail": "breadcrumb breadcrumbs crumb crumbs path",
    "hero": "hero banner jumbotron slide slider carousel",
    "search": "search form login",
    "comment": "comment comments reply",
    "under": "sub subtitle subtitles subheading subheadline intro lead tagline slogan description summary",
    "date": "date time meta info author byline",
    "section": "section category kicker rubrik rubric label tag tags",
    "caption": "caption image photo figure",
    "thread": "topic thread forum",
}
"""Words of classes, ids and itemprops around what may be a headline, by what they say of it."""

HEADLINE_ELEMENTS: Final = (
    "header", "nav", "aside", "footer", "main", "article", "a", "b", "strong", "font", "center", "td", "th", "li",
    "button", "label", "dt", "em", "span", "big", "figcaption", "form",
)  # fmt: skip
"""Elements around what may be a headline."""

TITLE_SIGNS: Final = " ¶#§\u200b\uf0c1★☆⭐"
"""Signs that are no part of a title at its ends: of a link to the heading, and the stars of a rating."""

GROUP_OF_TYPE: Final = {
    "article": "article", "news": "article", "blog": "article", "academic": "article", "product": "product",
    "recipe": "recipe", "forum": "forum", "listing": "listing", "documentation": "documentation",
    "reference": "documentation", "home": "other", "service": "other", "event": "other", "job": "other",
    "profile": "other", "legal": "other", "media": "other", "interface": "other", "other": "other",
}  # fmt: skip
"""The types of pages, each with its group."""

UNSIGNED: Final = frozenset(("home", "service", "interface", "job"))
"""Types whose pages nobody signs: where a page is likely to be one, only an author whom elements name is taken."""


def all_of(table: dict[str, str]) -> list[str]:
    """The words of all languages, each once, in order."""
    return list(dict.fromkeys(word for words in table.values() for word in words.split("|")))
