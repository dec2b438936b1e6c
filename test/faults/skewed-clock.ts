/** Loaded into a process before the service: its clock is wrong by this many milliseconds, in all that JavaScript reads of it. */
const offset = Number(process.env['FAULTS_CLOCK_OFFSET_MS'])
const RightDate = Date

globalThis.Date = class extends RightDate {
  constructor(...given: unknown[]) {
    if (given.length === 0) super(RightDate.now() + offset)
    else super(...(given as [number]))
  }
  static override now(): number {
    return RightDate.now() + offset
  }
} as DateConstructor
