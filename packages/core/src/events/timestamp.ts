// Shape A, as Python prints it, which leaves out a fraction of zero: 2025-03-27 15:41:20.123456+00:00
const SHAPE_A = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,9})?([+-]\d\d:\d\d)$/
// Shape B, ISO 8601 in UTC: 2025-03-27T15:41:20.123456Z
const SHAPE_B = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d{1,9})?(Z)$/

/**
 * The moment that a timestamp of an event names, in either of the two formats of S6.6. A `Date` has milliseconds;
 * what is finer is cut off.
 *
 * @example
 * parseTimestamp('2025-03-27 15:41:20.123456+02:00') // 2025-03-27T13:41:20.123Z
 *
 * @throws {RangeError} on anything else
 */
export function parseTimestamp(timestamp: string): Date {
  const parts = SHAPE_A.exec(timestamp) ?? SHAPE_B.exec(timestamp)
  if (parts === null)
    throw new RangeError('A timestamp is YYYY-MM-DD HH:MM:SS.ffffff+00:00, or ISO 8601 with Z')
  const [, date, time, fraction = '', offset] = parts
  const wall = `${date!}T${time!}`
  const moment = new Date(`${wall}${fraction.slice(0, 4)}${offset!}`)
  // Date itself takes the 30th of February for the 2nd of March.
  if (Number.isNaN(moment.getTime()) || !isOnTheCalendar(wall)) {
    throw new RangeError('The timestamp names a moment that does not exist')
  }
  return moment
}

function isOnTheCalendar(wall: string): boolean {
  return new Date(`${wall}Z`).toISOString().startsWith(wall)
}
