# SPDX-License-Identifier: Apache-2.0
"""What furniture between paragraphs says of itself, by language: labels of advertisements, headlines of lists of other
pages, what stands before a link to one, and notices in place of content.

A row of LABELS is all that a block says, but for signs around it; a row of the others is how a block begins. Rows are
separated by vertical bars; case is ignored. One row or more for each of the languages with the most pages. Only what a
writer would hardly say in a text of its own is here: "More", "Latest" and "Watch" are not.
"""

from __future__ import annotations

from typing import Final


def _rows(text: str) -> list[str]:
    """The rows, each in the spellings that differ in more than the case of ASCII letters."""
    rows = [row.strip() for line in text.splitlines() for row in line.split("|") if row.strip()]
    spellings = [form for row in rows for form in (row, row.capitalize(), row.title(), row.upper())]
    return list({spelling.encode().lower(): spelling for spelling in reversed(spellings)}.values())


ADVERTISEMENT: Final = _rows("""
    advertisement|advertisements|sponsored|sponsored content|paid content|scroll to continue|skip advertisement
    anzeige|werbung|gesponsert|bezahlter inhalt|publicidad|contenido patrocinado|anuncio|anuncios|publicité
    contenu sponsorisé|contenu partenaire|pubblicità|contenuto sponsorizzato|annuncio|messaggio promozionale
    publicidade|conteúdo patrocinado|anúncio|publicitate|conținut sponsorizat|advertentie|gesponsord|reclame
    annons|annonse|annonce|sponsrat innehåll|sponset innhold|sponsoreret indhold|mainos|kaupallinen yhteistyö
    reklama|inzerce|inzercia|komerční sdělení|materiał sponsorowany|oglas|sponzorirani sadržaj|reklame|hirdetés
    támogatott tartalom|διαφήμιση|χορηγούμενο περιεχόμενο|реклама|на правах рекламы|на правах реклами
    спонсорирано съдържание|платено съобщение|reklam|sponsorlu içerik|reklaam|reklāma|إعلان|إعلانات|محتوى مدفوع
    פרסומת|תוכן ממומן|آگهی|تبلیغات|विज्ञापन|বিজ্ঞাপন|โฆษณา|quảng cáo|iklan|広告|スポンサーリンク|광고|广告
    廣告|赞助内容
""")
RELATED: Final = _rows("""
    related|related stories|related articles|related posts|related news|related content|related reading
    related topics|you may like|you may also like|you might like|you might also like
    you may also be interested in|recommended for you|recommended stories|recommended reading
    more from this section|more on this topic|more on this story|most read|most popular|popular posts
    trending now|what to read next|read next|up next|in other news|people also read|don't miss|mehr zum thema
    das könnte sie auch interessieren|das könnte dich auch interessieren|meistgelesen|ähnliche artikel
    ähnliche beiträge|weitere beiträge|passend dazu|auch interessant|lesen sie auch|noticias relacionadas
    te puede interesar|también te puede interesar|lo más leído|artículos relacionados|lea también|à lire aussi
    a lire aussi|lire aussi|sur le même sujet|les plus lus|articles associés|articles liés|articles similaires
    vous aimerez aussi|dans la même rubrique|articoli correlati|leggi anche|i più letti|potrebbe interessarti
    ti potrebbe interessare|notícias relacionadas|veja também|leia também|mais lidas|você pode gostar
    artigos relacionados|articole similare|citește și|citeste si|cele mai citite|te-ar putea interesa|lees ook
    gerelateerde artikelen|meest gelezen|läs också|relaterade artiklar|mest läst|les også|relaterte saker
    mest lest|læs også|relaterede artikler|mest læste|lue myös|luetuimmat|související články
    mohlo by vás zajímat|nejčtenější|čtěte také|súvisiace články|mohlo by vás zaujímať|najčítanejšie
    zobacz także|zobacz też|czytaj także|polecane artykuły|najczęściej czytane|povezane vijesti|najčitanije
    moglo bi vas zanimati|kapcsolódó cikkek|ezt is ajánljuk|legolvasottabb|διαβάστε επίσης|διαβάστε ακόμα
    σχετικά άρθρα|читайте также|читайте також|материалы по теме|матеріали за темою|самое читаемое
    новости партнёров|новости партнеров|вам может понравиться|вас може зацікавити|свързани статии|най-четени
    ilgili haberler|bunlar da ilginizi çekebilir|en çok okunanlar|اقرأ أيضا|اقرأ أيضًا|مواضيع ذات صلة
    الأكثر قراءة|קראו גם|כתבות נוספות|הנקראות ביותר|مطالب مرتبط|بیشتر بخوانید|संबंधित खबरें|यह भी पढ़ें
    আরও পড়ুন|সর্বাধিক পঠিত|ข่าวที่เกี่ยวข้อง|tin liên quan|bài viết liên quan|có thể bạn quan tâm
    berita terkait|artikel terkait|baca juga|terpopuler|関連記事|あわせて読みたい|人気記事|こちらもおすすめ
    관련 기사|관련기사|많이 본 뉴스|추천 기사|相关阅读|相关新闻|相关文章|推荐阅读|热门文章|猜你喜欢|延伸阅读
    延伸閱讀|相關新聞|相關文章
""")
ALSO: Final = _rows("""
    read also:|also read:|read more:|see also:|related:|read:|don't miss:|related story:|up next:
    more on this:|lesen sie auch:|lies auch:|mehr dazu:|siehe auch:|zum thema:|lesetipp:|lee también:
    lea también:|te puede interesar:|ver además:|relacionado:|lee más:|à lire aussi|a lire aussi|lire aussi
    voir aussi :|voir aussi:|sur le même sujet :|leggi anche:|leggi anche>|vedi anche:|leia também:
    veja também:|leia mais:|citește și:|vezi și:|lees ook:|bekijk ook:|läs också:|läs även:|läs mer:|les også:
    læs også:|lue myös:|katso myös:|čtěte také:|přečtěte si:|související:|čítajte aj:|prečítajte si:
    czytaj także:|czytaj też:|zobacz też:|zobacz także:|pročitajte i:|kapcsolódó:|olvassa el ezt is:
    διαβάστε επίσης:|διαβάστε ακόμα:|читайте также:|читать также:|смотрите также:|по теме:|ранее:
    читайте також:|дивіться також:|прочетете още:|вижте още:|ayrıca okuyun:|ilgili haber:|bunu da okuyun:
    اقرأ أيضا:|اقرأ أيضًا:|شاهد أيضا:|קראו גם:|بیشتر بخوانید:|همچنین بخوانید:|यह भी पढ़ें:|আরও পড়ুন:
    อ่านเพิ่มเติม:|xem thêm:|đọc thêm:|baca juga:|lihat juga:|あわせて読みたい|関連記事：|関連記事:|【関連】
    관련 기사:|관련기사:|延伸阅读：|延伸閱讀：|相关阅读：|相關新聞：|推荐阅读：
""")
NOTICE: Final = _rows("""
    article continues after|article continues below|story continues after|story continues below
    continue reading below|recommended editorial content|i agree that external content
    i agree to external content|this content is hosted by|this content is imported from|this content is blocked
    to view this content|to display this content|to view this video|we need your permission to
    we need your consent to|please accept cookies|please enable javascript|please turn on javascript
    please enable cookies|javascript is disabled|javascript is not available|your browser does not support
    your browser doesn't support|you need to enable javascript|this video cannot be played
    this video can not be played|an external element|you appear to be using an ad blocker
    nach der anzeige geht es weiter|artikel wird nach der|empfohlener redaktioneller inhalt
    empfohlener externer inhalt|ich bin damit einverstanden, dass|externer inhalt|an dieser stelle finden sie
    an dieser stelle befindet sich|mit dem laden des|mit dem laden der|zur anzeige dieses|um diesen inhalt
    um dieses video|bitte aktivieren sie javascript|la noticia continúa después|este contenido procede
    para ver este contenido|tu navegador no soporta|por favor, activa javascript|la suite après
    l’article continue après|l'article continue après|ce contenu provient|ce contenu est bloqué
    pour afficher ce contenu|votre navigateur ne supporte|veuillez activer javascript
    continua a leggere dopo la pubblicità|questo contenuto proviene|per visualizzare questo contenuto
    il tuo browser non supporta|continua após a publicidade|este conteúdo vem|para ver este conteúdo
    seu navegador não suporta|articolul continuă după|artikel gaat verder|deze inhoud komt|om deze inhoud te
    artikeln fortsätter|innehållet kommer från|artikkelen fortsetter|artiklen fortsætter|dette innholdet kommer
    dette indhold kommer|juttu jatkuu|tämä sisältö tulee|článek pokračuje|článok pokračuje
    dalsza część artykułu|dalszy ciąg tekstu|ta treść pochodzi|tekst se nastavlja|a cikk a hirdetés után
    продолжение после рекламы|продовження після реклами|текстът продължава след|haberin devamı reklam
    يتبع بعد الإعلان|המשך הכתבה אחרי|विज्ञापन के बाद|bài viết tiếp tục sau|gulir ke bawah untuk
    このコンテンツは外部|記事は広告の下|기사는 광고 아래|以下是广告
""")
