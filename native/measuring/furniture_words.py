# SPDX-License-Identifier: Apache-2.0
"""What furniture says of itself, by language: labels of advertisements, headlines of lists of other pages, what stands
before a link to one, notices in place of content, calls to sign up, follow, share or give, and notices of walls.

A row of ADVERTISEMENT, RELATED and MORE is all that a block says, but for signs around it; ACCOUNT may stand anywhere;
a row of the others is how a block begins. Rows are separated by vertical bars; case is ignored. One row or more for
each of the languages with the most pages. Only what a writer would hardly say in a text of its own is here. MORE is
vague, so it needs an article before it and a list behind it; CONTINUE needs the name or the address of a login or a
subscription; LOGIN is the notice of a wall where the page or a class says so, too.
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
CALL: Final = _rows("""
    sign up for our newsletter|sign up to our newsletter|sign up for our free newsletter
    sign up to our free newsletter|sign up for our daily|sign up for our weekly|sign up to our daily
    sign up to our weekly|sign up for the newsletter|sign up for email|sign up here to receive
    sign up for free newsletters|sign up for breaking news|sign up for updates|sign up for alerts
    subscribe to our newsletter|subscribe to our free|subscribe to our weekly|subscribe to our daily
    subscribe to our mailing list|subscribe to our email|subscribe to the newsletter|subscribe to get
    subscribe to receive|subscribe for updates|subscribe to our youtube|subscribe to our channel
    join our newsletter|join our mailing list|join our free newsletter|join our whatsapp|join our telegram
    get our newsletter|get our free newsletter|get the newsletter|get our daily newsletter
    get our weekly newsletter|get the latest news delivered|get the latest news straight
    get the latest news in your inbox|get breaking news|get news delivered|get stories delivered
    get stories like this|want more stories like this|enjoying this article|enjoyed this article
    like what you're reading|like this article|like this story|never miss a story|never miss an update
    don't miss a story|stay up to date with our|stay in the loop|receive our daily|receive our weekly
    enter your email|by signing up|by subscribing, you|by subscribing you|by submitting your email
    by entering your email|by clicking subscribe|by clicking sign up|you can unsubscribe at
    unsubscribe at any time|thanks for signing up|thank you for signing up|thank you for subscribing
    thanks for subscribing|newsletter sign-up|newsletter signup|newsletter sign up|follow us on|follow us @
    like us on facebook|find us on facebook|follow our whatsapp|follow our telegram|join us on whatsapp
    join us on telegram|join the conversation on|download our app|get our app|share this article
    share this story|share this post|share this page|share on facebook|share on twitter|share on whatsapp
    share on linkedin|share on x|share via email|support independent journalism|support our journalism
    support our reporting|support quality journalism|please consider donating|please consider supporting
    please consider making a|if you value our|if you appreciate our|make a donation|donate today|donate now
    become a member today|newsletter abonnieren|abonnieren sie unseren|abonniere unseren
    melden sie sich für unseren|melden sie sich zu unserem|melde dich für unseren|jetzt newsletter
    jetzt zum newsletter|hier können sie unseren newsletter|folgen sie uns auf|folge uns auf|folgt uns auf
    diesen artikel teilen|artikel teilen|beitrag teilen|unterstützen sie uns|unterstützen sie unsere
    unterstütze uns|unterstütze unsere|jetzt spenden|ihre e-mail-adresse|sie können sich jederzeit
    sie können den newsletter jederzeit|suscríbete a nuestro|suscríbete a nuestra|suscríbase a nuestro
    suscríbete al boletín|suscríbete gratis|suscríbete para recibir|recibe nuestro boletín|recibe en tu correo
    recibe las noticias|regístrate en nuestro|apúntate a nuestra|apúntate a nuestro|síguenos en|síganos en
    únete a nuestro canal|sigue nuestro canal|descarga nuestra app|descarga la app|compartir en facebook
    compartir en twitter|compartir en whatsapp|comparte esta noticia|comparte este artículo
    apoya el periodismo|apoya nuestro periodismo|haz una donación|inscrivez-vous à notre|abonnez-vous à notre
    abonnez-vous à la newsletter|inscrivez-vous à la newsletter|recevez notre newsletter
    s'inscrire à la newsletter|suivez-nous sur|suivez-nous|retrouvez-nous sur|rejoignez-nous sur
    téléchargez l'application|téléchargez notre|partager sur facebook|partager sur twitter
    partager sur whatsapp|partager cet article|partagez cet article|soutenez-nous|soutenez notre
    soutenez un journal|soutenez le journalisme|faites un don|faire un don|iscriviti alla newsletter
    iscriviti alla nostra|iscriviti al canale|iscriviti al nostro|ricevi la newsletter|ricevi le nostre
    seguici su|segui il nostro canale|segui il canale|scarica l'app|scarica la nostra app
    condividi su facebook|condividi questo articolo|condividi l'articolo|sostieni il giornalismo
    sostieni il nostro|sostienici|fai una donazione|inscreva-se na nossa|inscreva-se em nossa
    assine a nossa newsletter|assine nossa newsletter|assine a newsletter|receba nossa newsletter
    receba a newsletter|receba no seu e-mail|siga-nos no|siga-nos nas|siga nosso canal|siga o canal
    siga o nosso|entre no canal|entre no nosso|baixe o app|baixe nosso|participe do nosso|clique aqui e entre
    clique aqui para entrar|compartilhe no|compartilhar no|compartilhe esta|compartilhe este|compartilhe essa
    apoie o jornalismo|faça uma doação|abonează-te la|abonați-vă la|urmărește-ne pe|urmăriți-ne pe
    descarcă aplicația|distribuie pe facebook|schrijf je in voor|schrijf u in voor|meld je aan voor
    meld u aan voor|abonneer je op|ontvang onze nieuwsbrief|ontvang de nieuwsbrief|volg ons op
    deel dit artikel|deel op facebook|download onze app|download de app|steun onze|steun ons
    prenumerera på vårt|prenumerera på nyhetsbrev|anmäl dig till vårt|anmäl dig till nyhetsbrev|följ oss på
    dela artikeln|dela på facebook|ladda ner vår app|stöd oss|meld deg på nyhetsbrev|meld deg på vårt
    abonner på|få nyhetsbrev|følg oss på|del på facebook|tilmeld dig vores|tilmeld dig nyhedsbrev
    tilmeld nyhedsbrev|få nyhedsbrev|følg os på|del artiklen|tilaa uutiskirje|tilaa uutiskirjeemme
    jaa artikkeli|jaa facebookissa|přihlaste se k odběru|sdílet na facebooku|sdílejte článek|podpořte nás
    podpořte naši|prihláste sa na odber|zdieľať na facebooku|podporte nás|zapisz się do newslettera
    zapisz się na newsletter|zapisz się do naszego|zapisz się na nasz|śledź nas na|obserwuj nas
    dołącz do nas na|dołącz do naszego kanału|pobierz aplikację|udostępnij na|udostępnij artykuł
    podziel się artykułem|wesprzyj nas|wspieraj nas|prijavite se na newsletter|prijavite se na naš
    pretplatite se na|pratite nas na|zapratite nas|podijelite članak|iratkozz fel hírlevel
    iratkozzon fel hírlevel|iratkozz fel a hírlevel|kövess minket|kövessen minket|támogass minket
    εγγραφείτε στο newsletter|εγγραφή στο newsletter|ακολουθήστε μας|κάντε εγγραφή|подпишитесь на наш
    подписывайтесь на наш|подпишись на наш|подписывайтесь на нас|подпишитесь на рассылку
    подписывайтесь на канал|подпишитесь на канал|подписаться на рассылку|подписывайтесь на телеграм
    читайте нас в|присоединяйтесь к нам|следите за нами|следите за нашими|скачайте приложение|поделиться в
    поделиться с друзьями|поделитесь с друзьями|поделитесь статьей|поделитесь новостью|поддержите нас
    поддержите наш|поддержать нас|поддержать проект|нашли ошибку|заметили ошибку|если вы нашли ошибку
    если вы заметили ошибку|увидели ошибку|підписуйтесь на наш|підпишіться на наш|підписуйтеся на наш
    підписуйтесь на нас|читайте нас у|слідкуйте за нами|поділитися в|помітили помилку|якщо ви знайшли помилку
    якщо ви помітили помилку|знайшли помилку|абонирайте се за|последвайте ни|следвайте ни|bültenimize abone
    e-bültenimize|haber bültenimize|bizi takip edin|kanalımıza abone|whatsapp kanalımız|telegram kanalımız
    uygulamamızı indirin|uygulamayı indirin|facebook'ta paylaş|bu haberi paylaş|اشترك في نشرتنا
    اشترك في النشرة|اشترك في قناتنا|تابعونا على|تابعنا على|تابعوا قناة|انضم إلى قناتنا|حمل تطبيق|شارك على
    شارك المقال|شارك هذا|הירשמו לניוזלטר|הרשמו לניוזלטר|עקבו אחרינו|הצטרפו לערוץ|عضویت در خبرنامه
    हमारे न्यूज़लेटर|हमारे व्हाट्सएप|हमें फॉलो करें|हमारे टेलीग्राम|न्यूज़लेटर के लिए|আমাদের অনুসরণ
    আমাদের হোয়াটসঅ্যাপ|গুগল নিউজে|ติดตามข่าวสาร|ติดตามเราได้ที่|สมัครรับข่าว|กดติดตาม|đăng ký nhận
    theo dõi chúng tôi|tham gia kênh|chia sẻ bài viết|ikuti kami di|ikuti saluran|berlangganan newsletter
    daftar newsletter|bagikan artikel|メルマガ登録|メールマガジン|ニュースレターに|ニュースレター登録
    フォローする|この記事をシェア|シェアする|公式アプリ|뉴스레터 구독|뉴스레터를|카카오톡 채널|공유하기
    페이스북 공유|이 기사를 공유|订阅我们|订阅本站|订阅电子报|关注我们|扫码关注|扫一扫关注|扫描二维码
    微信扫一扫|微信扫码|分享到|欢迎关注|下载客户端|下载app|訂閱電子報|訂閱我們|追蹤我們|下載app
    your email address will not be|get the app now|follow our channel on|download the app for
    download the app to|sledujte nás na|receive our weekly newsletter
""")
MORE: Final = _rows("""
    more stories|more news|more articles|more posts|top stories|latest news|latest stories|latest articles
    latest posts|recent posts|recent articles|recent news|recent stories|popular articles|popular stories
    popular news|trending stories|trending news|trending articles|editor's picks|editors' picks|editor’s picks
    more to read|keep reading|continue reading|other news|other articles|other stories|other posts|also read
    also in the news|recommended articles|recommended posts|you may have missed|you might have missed
    suggested articles|suggested reading|more headlines|more like this|similar articles|similar posts
    similar stories|from our partners|from around the web|around the web|from the web|sponsored links
    promoted stories|must read|must-reads|what others are reading|readers also|mehr artikel|mehr nachrichten
    mehr themen|weitere artikel|weitere meldungen|weitere nachrichten|weitere themen|aktuelle nachrichten
    neueste beiträge|neueste artikel|neueste nachrichten|beliebte artikel|beliebte beiträge
    meistgelesene artikel|empfohlene artikel|lesetipps|auch spannend|das könnte ihnen auch gefallen
    das könnte dir auch gefallen|más noticias|otras noticias|últimas noticias|más leídas|más leídos
    las más leídas|los más leídos|más artículos|artículos recientes|entradas recientes|noticias recientes
    te recomendamos|también te puede gustar|lo más visto|contenido relacionado|entradas relacionadas
    plus d'articles|autres articles|dernières actualités|dernières nouvelles|derniers articles
    articles récents|les dernières actualités|nos derniers articles|les plus populaires|dans l'actualité
    ailleurs sur le web|contenus sponsorisés|recommandé pour vous|plus d'actualités|altre notizie
    ultime notizie|ultimi articoli|articoli recenti|notizie correlate|articoli simili|più letti|più lette
    altri articoli|le ultime notizie|potrebbe interessarti anche|mais notícias|outras notícias
    últimas notícias|notícias recentes|posts recentes|posts relacionados|mais recentes|artigos recentes
    mais vistas|outros artigos|alte știri|ultimele știri|știri similare|articole recente|cele mai noi
    meer nieuws|laatste nieuws|meer artikelen|recente berichten|gerelateerde berichten|fler nyheter
    senaste nytt|senaste nyheterna|fler artiklar|flere nyheter|siste nytt|flere saker|flere nyheder
    seneste nyt|seneste nyheder|flere artikler|lisää aiheesta|muita uutisia|lisää uutisia|další články
    nejnovější články|další zprávy|podobné články|ďalšie články|najnovšie|inne artykuły|pozostałe artykuły
    podobne artykuły|powiązane artykuły|więcej na ten temat|warto przeczytać|ostatnie wpisy|więcej wiadomości
    najpopularniejsze|ostale vijesti|najnovije vijesti|további cikkek|friss hírek|hasonló cikkek|τελευταία νέα
    ροή ειδήσεων|другие новости|последние новости|ещё новости|еще новости|похожие статьи|похожие новости
    похожие материалы|похожие записи|похожие публикации|популярные статьи|свежие записи|свежие новости
    новости по теме|статьи по теме|по теме|главные новости|лента новостей|другие статьи|другие материалы
    ещё по теме|еще по теме|інші новини|останні новини|схожі новини|схожі статті|новини по темі
    новини за темою|още новини|последни новини|diğer haberler|son haberler|benzer haberler|çok okunanlar
    benzer yazılar|son yazılar|ilgili yazılar|günün manşetleri|أخبار ذات صلة|آخر الأخبار|مقالات ذات صلة
    مقالات مشابهة|أخبار أخرى|عוד בנושא|עוד כתבות|עוד חדשות|اخبار مرتبط|آخرین اخبار|مطالب مشابه|ताजा खबरें
    और पढ़ें|अन्य खबरें|আরও খবর|ข่าวล่าสุด|บทความที่เกี่ยวข้อง|tin mới|tin khác|tin mới nhất|bài viết mới
    đọc nhiều|cùng chuyên mục|tin cùng chuyên mục|berita lainnya|berita terbaru|artikel lainnya|berita populer
    最新記事|新着記事|おすすめ記事|関連ニュース|アクセスランキング|その他の記事|人気ランキング|最新ニュース
    最近の投稿|관련 뉴스|최신 기사|주요 뉴스|인기 기사|최신뉴스|인기뉴스|다른 기사|最新文章|最新新闻|热门新闻
    相关推荐|相关内容|更多新闻|更多文章|热点新闻|精彩推荐|为您推荐|热门推荐|最新资讯|相关资讯|推荐文章
    推荐新闻|最新消息|熱門文章|最新新聞|推薦閱讀|相關閱讀|更多新聞|熱門新聞
""")
WALL: Final = _rows("""
    subscribe to continue|subscribe to read|subscribe now to read|subscribe to unlock
    subscribe for full access|subscribe for unlimited|log in to continue|login to continue|log in to read
    login to read|sign in to continue|sign in to read|sign up to read|sign up to continue|register to continue
    register to read|register for free to|register now to read|this article is for subscribers
    this article is for paid|this article is only for|this article is available exclusively
    this article is exclusive|this article is reserved|this article is free for
    this content is for subscribers|this content is for members|this content is reserved
    this story is for subscribers|this story is exclusive|this is a subscriber|for subscribers only
    subscriber-only|subscribers only|you have reached your limit|you have no free articles|unlock this article
    jetzt weiterlesen|weiterlesen mit|um weiterzulesen|um den artikel weiter|lesen sie weiter mit
    dieser artikel ist nur|dieser artikel ist für|dieser artikel ist exklusiv
    dieser artikel ist kostenpflichtig|dieser inhalt ist exklusiv|mit abo weiterlesen|weiter mit abo
    weiter mit plus|exklusiv für abonnenten|nur für abonnenten|registrieren sie sich, um
    melden sie sich an, um|suscríbete para leer|suscríbete para seguir|suscríbete para continuar
    suscríbase para|este artículo es exclusivo|este contenido es exclusivo|este contenido está reservado
    contenido exclusivo para|exclusivo para suscriptores|solo para suscriptores|inicia sesión para
    regístrate para seguir|regístrate para continuar|regístrate gratis para|cet article est réservé
    cet article est accessible|cet article est payant|article réservé aux|ce contenu est réservé
    contenu réservé aux|réservé aux abonnés|la suite est réservée|abonnez-vous pour lire
    abonnez-vous pour continuer|abonnez-vous pour accéder|inscrivez-vous pour lire|connectez-vous pour lire
    connectez-vous pour continuer|abbonati per leggere|abbonati per continuare|questo articolo è riservato
    questo contenuto è riservato|contenuto riservato|riservato agli abbonati|solo per gli abbonati
    accedi per continuare|accedi per leggere|registrati per continuare|registrati per leggere|assine para ler
    assine para continuar|assine e tenha acesso|este conteúdo é exclusivo|conteúdo exclusivo para
    exclusivo para assinantes|este artigo é exclusivo|artigo exclusivo para|acest articol este rezervat
    dit artikel is alleen|dit artikel is exclusief|alleen voor abonnees|exclusief voor abonnees
    log in om verder|log in om te lezen|maak een gratis account|artikeln är låst|endast för prenumeranter
    logg inn for å|denne artikkelen er for|log ind for at|artiklen er kun for|tilaajille|přihlaste se, abyste
    pouze pro předplatitele|obsah pouze pro|treść dostępna|ten artykuł jest dostępny|artykuł dostępny
    artykuł tylko dla|tylko dla prenumeratorów|tylko dla subskrybentów|ovaj članak je dostupan
    samo za pretplatnike|csak előfizetők|μόνο για συνδρομητές|доступно только подписчикам
    только для подписчиков|оформите подписку, чтобы|тільки для передплатників|лише для передплатників
    статията е достъпна|bu içerik abonelere|bu yazı abonelere|sadece abonelere|هذا المحتوى للمشتركين
    هذا المقال للمشتركين|للمشتركين فقط|سجل الدخول لقراءة|سجل الدخول للمتابعة|הכתבה למנויים|כתבה זו למנויים
    آگे पढ़ने के लिए|đăng nhập để đọc|bài viết dành cho|berlangganan untuk|konten ini khusus
    artikel ini khusus|この記事は有料|この記事は会員|この記事は、有料|この先は有料|この先は会員|이 기사는 유료
    구독자 전용|登录后阅读|登录以阅读|订阅后阅读|订阅以继续|付费阅读|本文为付费|本文仅限|訂閱以繼續
""")
LOGIN: Final = _rows("""
    already a subscriber|already a member|already subscribed|already have an account|already registered
    not a subscriber|sie sind bereits abonnent|bereits abonnent|sie haben bereits ein|sie haben schon ein
    bereits registriert|schon abonnent|ya eres suscriptor|¿ya eres suscriptor|ya estás suscrito
    ¿ya estás suscrito|¿ya tienes cuenta|ya tienes cuenta|déjà abonné|vous êtes déjà abonné|vous êtes abonné
    déjà inscrit|sei già abbonato|hai già un abbonamento|já é assinante|já sou assinante|já é cadastrado
    al abonnee|bent u al abonnee|ben je al abonnee|heb je al een account|är du redan prenumerant
    redan prenumerant|allerede abonnent|er du allerede abonnent|už máte předplatné|máte předplatné
    už máte predplatné|masz już prenumeratę|masz już konto|már előfizető|είστε ήδη συνδρομητής|уже подписаны
    уже есть подписка|вече сте абонат|zaten abone misiniz
""")
CONTINUE: Final = _rows("""
    to continue reading|to read the full|to read the rest|to read this article|to read this story
    to keep reading|want to read more|want to continue reading|you've reached your|you have reached your
    you have read|you've read|you have used all|the rest of this article|the full article is
    please subscribe to|continue reading with|continue reading this|read the full article with
    read the full story with|keep reading with|weiterlesen nach|um diesen artikel|lesen sie diesen artikel
    den ganzen artikel lesen|den vollständigen artikel|dieser inhalt ist nur|dieser beitrag ist nur
    para seguir leyendo|para continuar leyendo|para leer el artículo completo|para leer la nota completa
    este contenido es solo|has alcanzado el límite|has llegado al límite|pour lire la suite
    pour continuer la lecture|pour continuer à lire|pour accéder à l'intégralité|pour lire l'article
    pour lire cet article|la suite de cet article|lire la suite avec|il vous reste|per continuare a leggere
    per leggere l'articolo completo|per leggere tutto|continua a leggere con|hai raggiunto il limite
    para continuar lendo|para continuar a ler|para ler a matéria completa|faça login para
    você atingiu o limite|acesse sua conta para|pentru a citi|acest conținut este|dit artikel lezen
    verder lezen?|lees verder met|om verder te lezen|läs vidare|för att läsa|för att fortsätta läsa
    logga in för att|for å lese|les videre med|for at læse|læs videre med|denne artikel er kun|lukeaksesi
    jatka lukemista|kirjaudu sisään|pro pokračování|pokračování článku|celý článek je|pre pokračovanie
    aby czytać dalej|aby przeczytać|dostęp do pełnej|zaloguj się, aby|pozostało do przeczytania
    dalsza część dostępna|za nastavak čitanja|a cikk folytatása|για να διαβάσετε|για να συνεχίσετε
    чтобы читать дальше|чтобы продолжить чтение|чтобы прочитать|материал доступен|статья доступна
    эта статья доступна|этот материал доступен|продолжение доступно|полный текст доступен
    полная версия доступна|войдите, чтобы|зарегистрируйтесь, чтобы|щоб читати далі|щоб прочитати
    матеріал доступний|за да прочетете|okumaya devam etmek|devamını okumak için|haberin tamamını okumak
    giriş yapın ve|للمتابعة القراءة|لمتابعة القراءة|כדי להמשיך לקרוא|להמשך קריאה|לקריאת הכתבה המלאה
    برای ادامه مطالعه|برای خواندن ادامه|आगे पढ़ने के लिए|पूरी खबर पढ़ने के लिए|সম্পূর্ণ পড়তে|để đọc tiếp
    untuk membaca|この続きは|続きを読むには|続きを読むに|ここから先は|全文を読むには|全文をお読み
    この記事の続き|계속 읽으려면|전문을 보시려면|继续阅读请|剩余内容|以下内容需要|訂閱後|登入後|登入以
    continue reading|read more|keep reading|read full story|read the full story|read full article
    read the full article|weiterlesen|weiter lesen|jetzt lesen|seguir leyendo|continuar leyendo|leer más
    lire la suite|lire l'article|continua a leggere|continuar lendo|ler mais|lees verder|läs hela artikeln
    les hele saken|læs hele artiklen|lue koko|celý článek|čítať ďalej|czytaj dalej|читать дальше|читать далее
    читати далі|devamını oku|続きを読む|全文を読む|계속 읽기|继续阅读|阅读全文|繼續閱讀|閱讀全文|اقرأ المزيد
    baca selengkapnya|xem tiếp|आगे पढ़ें
""")
ACCOUNT: Final = _rows("""
    subscri|log in|login|sign in|sign up|register|membership|free trial|abonn|anmeld|registrier|suscri|suscrí
    inicia sesión|regístra|connecte|inscri|abbonat|accedi|registra|assin|cadastr|logga in|logg inn|log ind
    inloggen|prenumer|předpl|predpl|zaloguj|előfizet|συνδρομ|подпис|войд|войти|зарегистр|передплат|abone
    giriş yap|اشترا|مشترك|سجل|מנוי|اشتراک|सब्सक्रा|đăng nhập|đăng ký|berlangganan|会員|登録|ログイン|購読|有料
    구독|로그인|회원|登录|订阅|付费|会员|註冊|登入|訂閱
""")
ACCOUNT_ADDRESS: Final = _rows("""
    login|log-in|signin|sign-in|signup|sign-up|/subscri|/register|paywall|/abonnement|/abonnieren|/abo/
    /suscri|/assin|/abbona|/prenumer
""")
