import { words } from './words.ts'

/** Names of the months in twenty languages, whole and abbreviated; folded. An earlier language wins where two disagree. */
const NAMES: readonly string[] = [
  `january jan januar janvier janv enero ene gennaio gen januari janeiro styczen stycznia sty tammikuu tammikuuta
    tammi leden ledna led januara ianuarie ian gener ocak oca січень січня січ январь января янв ιανουαριου ιαν`,
  `february feb februar fevrier fevr febrero febbraio februari fevereiro fev luty lutego lut helmikuu helmikuuta
    helmi unor unora uno februara febr februarie febrer subat sub лютии лютого лют февраль февраля февр φεβρουαριου
    φεβ`,
  `march mar marz mars marzo maart mrt marco marzec marca marts maaliskuu maaliskuuta maalis brezen brezna bre
    marec marcius marc martie mart березень березня бер март марта μαρτιου μαρ`,
  `april apr avril avr abril abr aprile kwiecien kwietnia kwi huhtikuu huhtikuuta huhti duben dubna dub aprila
    aprilis aprilie nisan nis квітень квітня квіт апрель апреля апр απριλιου απρ`,
  `may mai mayo maggio mag mei maio maj maja toukokuu toukokuuta touko kveten kvetna kve majus maig mayıs травень
    травня трав маи мая μαιου μαι`,
  `june jun juni juin junio giugno giu junho czerwiec czerwca cze kesakuu kesakuuta kesa cerven cervna cvn juna
    junius iunie iun juny haziran haz червень червня черв июнь июня ιουνιου ιουν`,
  `july jul juli juillet juil julio luglio lug julho lipiec lipca lip heinakuu heinakuuta heina cervenec cervence
    cvc jula julius iulie iul juliol temmuz tem липень липня лип июль июля ιουλιου ιουλ`,
  `august aug aout agosto ago augustus sierpien sierpnia sie augusti elokuu elokuuta elo srpen srpna srp augusta
    augusztus agost agustos agu серпень серпня серп август августа авг αυγουστου αυγ`,
  `september sep septembre sept septiembre settembre set setembro wrzesien wrzesnia wrz syyskuu syyskuuta syys zari
    zar septembra szeptember szept septembrie setembre eylul eyl вересень вересня вер сентябрь сентября сент
    σεπτεμβριου σεπ`,
  `october oct oktober okt octobre octubre ottobre ott outubro out pazdziernik pazdziernika paz lokakuu lokakuuta
    loka rijen rijna rij oktobra octombrie ekim eki жовтень жовтня жовт октябрь октября окт οκτωβριου οκτ`,
  `november nov novembre noviembre novembro listopad listopada lis marraskuu marraskuuta marras listopadu novembra
    noiembrie kasım kas листопад листопада лист ноябрь ноября нояб νοεμβριου νοε`,
  `december dec dezember dez decembre diciembre dic dicembre dezembro grudzien grudnia gru desember des joulukuu
    joulukuuta joulu prosinec prosince pro decembra decembrie desembre aralık ara грудень грудня груд декабрь
    декабря дек δεκεμβριου δεκ`,
]

export const MONTH_NAMES: readonly (readonly [string, number])[] = NAMES.flatMap((names, i) =>
  words(names).map(name => [name, i + 1] as const),
)
