import type { Step } from '../case.js'
import { fault } from './faults.js'

/** What `t` may say: the text that was signed, and the seconds that it stands for. */
export interface Time {
  readonly timestamp: string
  readonly seconds: number | undefined
  readonly faults: readonly Step[]
}

/** A unit that has too many digits for seconds. */
const UNITS = [
  { digits: /^\d{13}$/, perSecond: 1e3, unit: 'milliseconds' },
  { digits: /^\d{16}$/, perSecond: 1e6, unit: 'microseconds' },
  { digits: /^\d{19}$/, perSecond: 1e9, unit: 'nanoseconds' },
]

/** The readings of `t`: as its text was signed as it stands, or as the seconds in it were. */
export function timesOf(text: string): readonly Time[] {
  if (/^\d{1,12}$/.test(text)) return [{ timestamp: text, seconds: Number(text), faults: [] }]

  const unit = UNITS.find(({ digits }) => digits.test(text))
  const seconds = unit === undefined ? secondsOf(text) : Number(text) / unit.perSecond
  const what =
    unit === undefined
      ? fault('header-time-format', '"t" in the header is not a whole number of seconds')
      : fault('header-milliseconds', `"t" in the header is in ${unit.unit}`)
  const asItStands: Time = { timestamp: text, seconds, faults: [what] }
  if (seconds === undefined) return [asItStands]
  const signed: Step = { ...what, happened: `${what.happened}, while seconds were signed` }
  return [asItStands, { timestamp: String(Math.floor(seconds)), seconds, faults: [signed] }]
}

/** Of a number with decimals, or of a date. */
function secondsOf(text: string): number | undefined {
  const seconds = /^\d{1,12}\.\d{1,12}$/.test(text) ? Number(text) : Date.parse(text) / 1000
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
}
