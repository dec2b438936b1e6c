import { MONTH_NAMES } from './months.ts'
import { fold, list, words } from './words.ts'

/** Abbreviations that people use besides the official ones. */
const MORE: Readonly<Record<string, number>> = Object.fromEntries(
  [
    'jan jän januar jaen ene gen genn janv ian sty led oca',
    'feb febr fév fevr fev févr feb luty lut úno şub',
    'mar mär mrz maerz mrt mars marz bře mart märz',
    'apr abr avr kwi dub nis',
    'may mai mayo mag maj mei kvě touko',
    'jun juin giu giugn cze čvn haz',
    'jul juil lug lip čvc tem',
    'aug ago août aout sie srp ağu',
    'sep sept set setem wrz zář eyl',
    'oct okt ott out paź paz říj eki',
    'nov lis list kas',
    'dec dez déc dic grud gru pro ara dezem',
  ].flatMap((names, i) => words(names).map(name => [fold(name), i + 1])),
)

/** Whole names and usual abbreviations, folded: the month from 1. */
export const MONTHS: ReadonlyMap<string, number> = new Map([...Object.entries(MORE), ...MONTH_NAMES])

/** Month names that are names of other things too: a comma behind them ends the name of an employer. */
export const AMBIGUOUS_MONTHS: ReadonlySet<string> = new Set(words('mars may mai set out ago mag pro list ara mart'))

/** First and last month of a season; winter is taken for its part in the year that is written. */
export const SEASONS: ReadonlyMap<string, readonly [number, number]> = new Map(
  (
    [
      ['spring fruhjahr fruhling printemps primavera lente voorjaar wiosna var jaro', [3, 5]],
      ['summer sommer ete verano estate zomer verao lato sommar leto', [6, 8]],
      ['fall autumn herbst automne otono autunno herfst outono jesien host podzim', [9, 11]],
      ['winter hiver invierno inverno zima vinter', [1, 2]],
    ] as const
  ).flatMap(([names, months]) => words(names).map(name => [name, months] as const)),
)

/** What stands for today at the end of a range; folded. */
export const NOW: readonly string[] = list(`
  present, presently, at present, now, current, currently, today, ongoing, on-going, to date, till date, date, actual,
  heute, dato, jetzt, aktuell, laufend, gegenwart, gegenwartig, andauernd,
  aujourd'hui, aujourdhui, a ce jour, ce jour, present, actuel, actuellement, en cours, maintenant,
  actualidad, la actualidad, actualmente, presente, el presente, hoy, la fecha, hasta la fecha, ahora, en curso,
  oggi, ad oggi, alla data, attuale, attualmente, alla data attuale, in corso, presente, attualita,
  heden, nu, vandaag, huidig, lopend,
  atual, atualmente, o momento, momento, ate o momento, ate a data, hoje, os dias atuais,
  obecnie, teraz, do teraz, dzis, dzisiaj, do chwili obecnej, nadal, chwili obecnej,
  nuvarande, pagaende, i dag, idag, nu, na, nuværende, nykyinen, nyt, edelleen,
  dosud, dnes, soucasnost, soucasne, nyni, do soucasnosti, sucasnost, doteraz,
  jelenleg, prezent, in prezent, devam ediyor, gunumuz, halen, по настоящее время, настоящее время, дотепер`)

/** Words before a beginning without an end; folded. */
export const SINCE: readonly string[] = list(
  `since, from, starting, seit, ab, depuis, depuis le, desde, desde el, dal, da, sinds, vanaf, od, sedan,
  fra, siden, alkaen`,
)

/** Words between the two ends of a range; folded. */
export const UNTIL: readonly string[] = list(
  `to, until, till, til, thru, through, bis, bis zum, bis zu, a, au, jusqu'a, jusqu'au, jusque, al, hasta, ate,
  tot, t/m, tot en met, do, fino a, fino al, sino a, tom, t.o.m., och, asti, az, pana in, up to`,
)
