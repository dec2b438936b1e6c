/**
 * How people are shown times on pages, in emails and in the console: `15 Nov 2026, 07:08`. A date in an email is then
 * spelled as in the console; where there is less space a part is left out, and the order stays.
 */
export const DATE_LOCALE = 'en-GB'

const day = { day: 'numeric', month: 'short' } as const
const minute = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const second = { ...minute, second: '2-digit' } as const

export const DATE_FORMATS = {
  /** `15 Nov 2026` */
  date: { ...day, year: 'numeric' },
  /** `15 Nov 2026, 07:08` */
  time: { ...day, year: 'numeric', ...minute },
  /** `15 Nov 2026, 07:08:12 UTC` */
  exact: { ...day, year: 'numeric', ...second, timeZoneName: 'short' },
  /** `15 Nov`: on the axis of a chart */
  axisDay: day,
  /** `15 Nov, 07:08` */
  axisTime: { ...day, ...minute },
  /** `Sun 15 Nov, 07:08`: what people go to */
  appointment: { weekday: 'short', ...day, ...minute },
  /** `Sun 07:08`: in the next days */
  soon: { weekday: 'short', ...minute },
  /** `07:08` */
  clock: minute,
  /** `15 Nov, 07:08:12`: rows of a log that lasts for days */
  recent: { ...day, ...second },
} as const
