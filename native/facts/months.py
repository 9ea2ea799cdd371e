# SPDX-License-Identifier: Apache-2.0
"""Names of the months in many languages, for dates that a page shows."""

from __future__ import annotations

from typing import Final

_NAMES: Final = {
    "en": "january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sept sep|"
    "october oct|november nov|december dec",
    "de": "januar jan jänner jän|februar feb feber|märz mär mrz maerz|april apr|mai|juni jun|juli jul|august aug|"
    "september sept sep|oktober okt|november nov|dezember dez",
    "fr": "janvier janv jan|février févr fév fevrier fevr|mars|avril avr|mai|juin|juillet juil|août aout|"
    "septembre sept|octobre oct|novembre nov|décembre déc decembre",
    "es": "enero ene|febrero feb|marzo mar|abril abr|mayo may|junio jun|julio jul|agosto ago|septiembre setiembre sept|"
    "octubre oct|noviembre nov|diciembre dic",
    "it": "gennaio gen|febbraio feb|marzo mar|aprile apr|maggio mag|giugno giu|luglio lug|agosto ago|settembre set|"
    "ottobre ott|novembre nov|dicembre dic",
    "pt": "janeiro jan|fevereiro fev|março mar marco|abril abr|maio mai|junho jun|julho jul|agosto ago|setembro set|"
    "outubro out|novembro nov|dezembro dez",
    "nl": "januari jan|februari feb|maart mrt|april apr|mei|juni jun|juli jul|augustus aug|september sep|oktober okt|"
    "november nov|december dec",
    "ca": "gener gen|febrer febr|març|abril abr|maig|juny|juliol jul|agost ag|setembre set|octubre oct|novembre nov|"
    "desembre des",
    "gl": "xaneiro xan|febreiro feb|marzo|abril|maio|xuño xuñ|xullo xul|agosto|setembro|outubro out|novembro|decembro",
    "ro": "ianuarie ian|februarie feb|martie mar|aprilie apr|mai|iunie iun|iulie iul|august aug|septembrie sept|"
    "octombrie oct|noiembrie noi nov|decembrie dec",
    "sv": "januari jan|februari feb|mars|april apr|maj|juni jun|juli jul|augusti aug|september sep|oktober okt|"
    "november nov|december dec",
    "no": "januar jan|februar feb|mars mar|april apr|mai|juni jun|juli jul|august aug|september sep|oktober okt|"
    "november nov|desember des",
    "da": "januar jan|februar feb|marts mar|april apr|maj|juni jun|juli jul|august aug|september sep|oktober okt|"
    "november nov|december dec",
    "is": "janúar jan|febrúar feb|mars mar|apríl apr|maí|júní jún|júlí júl|ágúst ágú|september sep|október okt|"
    "nóvember nóv|desember des",
    "fi": "tammikuuta tammikuu tammi|helmikuuta helmikuu helmi|maaliskuuta maaliskuu maalis|huhtikuuta huhtikuu huhti|"
    "toukokuuta toukokuu touko|kesäkuuta kesäkuu kesä|heinäkuuta heinäkuu heinä|elokuuta elokuu elo|"
    "syyskuuta syyskuu syys|lokakuuta lokakuu loka|marraskuuta marraskuu marras|joulukuuta joulukuu joulu",
    "et": "jaanuar jaan|veebruar veebr|märts|aprill apr|mai|juuni|juuli|august aug|september sept|oktoober okt|"
    "november nov|detsember dets",
    "lv": "janvāris janvārī janvāra|februāris februārī februāra|marts martā marta|aprīlis aprīlī aprīļa|"
    "maijs maijā maija|jūnijs jūnijā jūnija|jūlijs jūlijā jūlija|augusts augustā augusta|"
    "septembris septembrī septembra|oktobris oktobrī oktobra|novembris novembrī novembra|"
    "decembris decembrī decembra",
    "lt": "sausio sausis|vasario vasaris|kovo kovas|balandžio balandis|gegužės gegužė|birželio birželis|liepos liepa|"
    "rugpjūčio rugpjūtis|rugsėjo rugsėjis|spalio spalis|lapkričio lapkritis|gruodžio gruodis",
    "pl": "stycznia styczeń sty|lutego luty lut|marca marzec mar|kwietnia kwiecień kwi|maja maj|czerwca czerwiec cze|"
    "lipca lipiec lip|sierpnia sierpień sie|września wrzesień wrz|października październik paź|"
    "listopada listopad lis|grudnia grudzień gru",
    "cs": "ledna leden led|února únor úno|března březen bře|dubna duben dub|května květen kvě|června červen čvn|"
    "července červenec čvc|srpna srpen srp|září zář|října říjen říj|listopadu listopad lis|prosince prosinec pro",
    "sk": "januára január|februára február|marca marec|apríla apríl|mája máj|júna jún|júla júl|augusta august|"
    "septembra september|októbra október|novembra november|decembra december",
    "sl": "januarja januar jan|februarja februar feb|marca marec mar|aprila april apr|maja maj|junija junij jun|"
    "julija julij jul|avgusta avgust avg|septembra september sep|oktobra oktober okt|novembra november nov|"
    "decembra december dec",
    "hr": "siječnja siječanj sij|veljače veljača velj|ožujka ožujak ožu|travnja travanj tra|svibnja svibanj svi|"
    "lipnja lipanj|srpnja srpanj|kolovoza kolovoz kol|rujna rujan ruj|listopada listopad|studenoga studenog studeni|"
    "prosinca prosinac",
    "bs": "januara januar|februara februar|marta mart|aprila april|maja maj|juna juni jun|jula juli jul|"
    "augusta august avgusta avgust|septembra septembar|oktobra oktobar|novembra novembar|decembra decembar",
    "sr": "јануара јануар јан|фебруара фебруар феб|марта март мар|априла април апр|маја мај|јуна јун|јула јул|"
    "августа август авг|септембра септембар сеп|октобра октобар окт|новембра новембар нов|децембра децембар дец",
    "mk": "јануари|февруари|март|април|мај|јуни|јули|август|септември|октомври|ноември|декември",
    "bg": "януари ян|февруари фев|март|април апр|май|юни|юли|август авг|септември сеп|октомври окт|ноември ное|"
    "декември дек",
    "ru": "января янв январь|февраля фев февраль|марта мар март|апреля апр апрель|мая май|июня июн июнь|"
    "июля июл июль|августа авг август|сентября сен сентябрь сент|октября окт октябрь|ноября ноя ноябрь нояб|"
    "декабря дек декабрь",
    "uk": "січня січ січень|лютого лют лютий|березня бер березень|квітня квіт квітень|травня трав травень|"
    "червня черв червень|липня лип липень|серпня серп серпень|вересня вер вересень|жовтня жовт жовтень|"
    "листопада лист листопад|грудня груд грудень",
    "be": "студзеня|лютага|сакавіка|красавіка|мая траўня|чэрвеня|ліпеня|жніўня|верасня|кастрычніка|лістапада|снежня",
    "kk": "қаңтар|ақпан|наурыз|сәуір|мамыр|маусым|шілде|тамыз|қыркүйек|қазан|қараша|желтоқсан",
    "el": "ιανουαρίου ιανουάριος ιαν|φεβρουαρίου φεβρουάριος φεβ|μαρτίου μάρτιος μαρ μαρτ|απριλίου απρίλιος απρ|"
    "μαΐου μαίου μάιος μάι μαϊ μαι|ιουνίου ιούνιος ιουν ιούν|ιουλίου ιούλιος ιουλ ιούλ|αυγούστου αύγουστος αυγ αύγ|"
    "σεπτεμβρίου σεπτέμβριος σεπ σεπτ|οκτωβρίου οκτώβριος οκτ|νοεμβρίου νοέμβριος νοε νοέ|"
    "δεκεμβρίου δεκέμβριος δεκ",
    "hu": "január jan januári|február feb febr|március márc márciusi|április ápr|május máj|június jún|július júl|"
    "augusztus aug|szeptember szept|október okt|november nov|december dec",
    "tr": "ocak oca|şubat şub|mart mar|nisan nis|mayıs may|haziran haz|temmuz tem|ağustos ağu|eylül eyl|ekim eki|"
    "kasım kas|aralık ara",
    "az": "yanvar|fevral|mart|aprel|may|iyun|iyul|avqust|sentyabr|oktyabr|noyabr|dekabr",
    "uz": "yanvar|fevral|mart|aprel|may|iyun|iyul|avgust|sentabr|oktabr|noyabr|dekabr",
    "sq": "janar|shkurt|mars|prill|maj|qershor|korrik|gusht|shtator|tetor|nëntor|dhjetor",
    "id": "januari jan|februari feb pebruari|maret mar|april apr|mei|juni jun|juli jul|agustus agu agt|september sep|"
    "oktober okt|november nov nopember|desember des",
    "ms": "januari|februari|mac|april|mei|jun|julai|ogos|september|oktober|november|disember",
    "sw": "januari|februari|machi|aprili|mei|juni|julai|agosti|septemba|oktoba|novemba|desemba",
    "af": "januarie|februarie|maart|april|mei|junie|julie|augustus|september|oktober|november|desember",
    "eu": "urtarrilaren urtarrila|otsailaren otsaila|martxoaren martxoa|apirilaren apirila|maiatzaren maiatza|"
    "ekainaren ekaina|uztailaren uztaila|abuztuaren abuztua|irailaren iraila|urriaren urria|azaroaren azaroa|"
    "abenduaren abendua",
    "cy": "ionawr|chwefror|mawrth|ebrill|mai|mehefin|gorffennaf|awst|medi|hydref|tachwedd|rhagfyr",
    "ga": "eanáir|feabhra|márta|aibreán|bealtaine|meitheamh|iúil|lúnasa|meán fómhair|deireadh fómhair|samhain|nollaig",
    "ar": "يناير|فبراير|مارس|أبريل ابريل إبريل|مايو|يونيو يونيه|يوليو يوليه|أغسطس اغسطس|سبتمبر|أكتوبر اكتوبر|"
    "نوفمبر|ديسمبر",
    "ar-sy": "كانون الثاني|شباط|آذار|نيسان|أيار|حزيران|تموز|آب|أيلول|تشرين الأول|تشرين الثاني|كانون الأول",
    "fa": "ژانویه|فوریه|مارس|آوریل|مه|ژوئن|ژوئیه|اوت|سپتامبر|اکتبر|نوامبر|دسامبر",
    "ur": "جنوری|فروری|مارچ|اپریل|مئی|جون|جولائی|اگست|ستمبر|اکتوبر|نومبر|دسمبر",
    "he": "בינואר ינואר|בפברואר פברואר|במרץ מרץ במרס מרס|באפריל אפריל|במאי מאי|ביוני יוני|ביולי יולי|באוגוסט אוגוסט|"
    "בספטמבר ספטמבר|באוקטובר אוקטובר|בנובמבר נובמבר|בדצמבר דצמבר",
    "hi": "जनवरी|फरवरी फ़रवरी|मार्च|अप्रैल|मई|जून|जुलाई|अगस्त|सितंबर सितम्बर|अक्टूबर अक्तूबर|नवंबर नवम्बर|दिसंबर दिसम्बर",
    "bn": "জানুয়ারি জানুয়ারী|ফেব্রুয়ারি ফেব্রুয়ারী|মার্চ|এপ্রিল|মে|জুন|জুলাই|আগস্ট|সেপ্টেম্বর|অক্টোবর|নভেম্বর|ডিসেম্বর",
    "ta": "ஜனவரி|பிப்ரவரி|மார்ச்|ஏப்ரல்|மே|ஜூன்|ஜூலை|ஆகஸ்ட்|செப்டம்பர்|அக்டோபர்|நவம்பர்|டிசம்பர்",
    "mr": "जानेवारी|फेब्रुवारी|मार्च|एप्रिल|मे|जून|जुलै|ऑगस्ट|सप्टेंबर|ऑक्टोबर|नोव्हेंबर|डिसेंबर",
    "gu": "જાન્યુઆરી|ફેબ્રુઆરી|માર્ચ|એપ્રિલ|મે|જૂન|જુલાઈ|ઓગસ્ટ ઑગસ્ટ|સપ્ટેમ્બર|ઓક્ટોબર ઑક્ટોબર|નવેમ્બર|ડિસેમ્બર",
    "te": "జనవరి|ఫిబ్రవరి|మార్చి|ఏప్రిల్|మే|జూన్|జులై జూలై|ఆగస్టు ఆగస్ట్|"
    "సెప్టెంబర్ సెప్టెంబరు|అక్టోబర్ అక్టోబరు|నవంబర్ నవంబరు|డిసెంబర్ డిసెంబరు",
    "kn": "ಜನವರಿ|ಫೆಬ್ರವರಿ|ಮಾರ್ಚ್|ಏಪ್ರಿಲ್|ಮೇ|ಜೂನ್|ಜುಲೈ|ಆಗಸ್ಟ್|ಸೆಪ್ಟೆಂಬರ್|ಅಕ್ಟೋಬರ್|ನವೆಂಬರ್|ಡಿಸೆಂಬರ್",
    "ml": "ജനുവരി|ഫെബ്രുവരി|മാർച്ച്|ഏപ്രിൽ|മേയ് മെയ്|ജൂൺ|ജൂലൈ|ഓഗസ്റ്റ്|സെപ്റ്റംബർ|ഒക്ടോബർ|നവംബർ|ഡിസംബർ",
    "km": "មករា|កុម្ភៈ|មីនា|មេសា|ឧសភា|មិថុនា|កក្កដា|សីហា|កញ្ញា|តុលា|វិច្ឆិកា|ធ្នូ",
    "th": "มกราคม ม.ค|กุมภาพันธ์ ก.พ|มีนาคม มี.ค|เมษายน เม.ย|พฤษภาคม พ.ค|มิถุนายน มิ.ย|กรกฎาคม ก.ค|สิงหาคม ส.ค|"
    "กันยายน ก.ย|ตุลาคม ต.ค|พฤศจิกายน พ.ย|ธันวาคม ธ.ค",
    "ka": "იანვარი|თებერვალი|მარტი|აპრილი|მაისი|ივნისი|ივლისი|აგვისტო|სექტემბერი|ოქტომბერი|ნოემბერი|დეკემბერი",
    "hy": "հունվարի|փետրվարի|մարտի|ապրիլի|մայիսի|հունիսի|հուլիսի|օգոստոսի|սեպտեմբերի|հոկտեմբերի|նոյեմբերի|դեկտեմբերի",
}  # fmt: skip
"""Twelve months by language, their names and abbreviations apart by spaces. Two words of one name, as in Arabic of the
Levant and Irish, count by the first word where that is enough, see _OWN.
"""

_OWN: Final = {"hr": {"listopad": 10, "listopada": 10}}
"""Words that mean another month in one language: listopad is November in Polish and Czech, October in Croatian."""

_NO_MONTHS: Final = {"en": ("gen", "led", "mac", "out", "pro", "set")}
"""Names of months in other languages that mean something else in a language."""

_TWO_WORDS: Final = {"ga", "ar-sy"}
FIRST_WORDS: Final = frozenset(
    name.split()[0] for code in _TWO_WORDS for name in _NAMES[code].split("|") if " " in name
)
"""What names of two words begin with."""


def _all_numbers() -> dict[str, int]:
    found: dict[str, int] = {}
    for code, names in _NAMES.items():
        for number, group in enumerate(names.split("|"), start=1):
            for word in [group] if code in _TWO_WORDS else group.split():
                found.setdefault(word, number)
    for word, number in list(found.items()):
        found.setdefault(word.replace("ı", "i"), number)
    return found


_ALL: Final = _all_numbers()
MONTHS_OF: Final = (
    {"": _ALL}
    | {language: _ALL | own for language, own in _OWN.items()}
    | {code: {word: number for word, number in _ALL.items() if word not in no} for code, no in _NO_MONTHS.items()}
)
"""The number of each month's name, in lower case, for the languages in which a word means another month than elsewhere,
or none, and under "" for all others.

Names with the Turkish ı have an i too, which is what lower case makes of their capitals.
"""
