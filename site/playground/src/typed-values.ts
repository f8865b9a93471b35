import { numberOption } from '@service-signature/core/shared/check-options'

/** A time in milliseconds as ISO 8601, or as Unix seconds if no calendar has it. */
export function printTime(milliseconds: number): string {
  const date = new Date(milliseconds)
  return Number.isNaN(date.getTime()) ? String(milliseconds / 1000) : date.toISOString()
}

/** @throws {Error} if it is neither a date nor Unix seconds */
export function readTime(text: string): number {
  const trimmed = text.trim()
  if (/^\d+(?:\.\d+)?$/.test(trimmed)) return Math.round(Number(trimmed) * 1000)
  // Without a time zone, a date would be read in that of the reader.
  const time = Date.parse(/[zZ]$|[+-]\d\d:?\d\d$/.test(trimmed) ? trimmed : `${trimmed}Z`)
  if (!Number.isNaN(time)) return time
  throw new Error('Enter a time such as 2025-03-27T15:41:20Z, or Unix seconds.')
}

/** @throws {Error} unless it is a tolerance: a number greater than 0, or Infinity */
export function readTolerance(text: string): number {
  return numberOption({ toleranceSeconds: numberIn(text) }, 'toleranceSeconds', 300, { above: 0 })
}

/** @throws {Error} unless it is a tolerance: a number from 0 on, or Infinity */
export function readFutureTolerance(text: string): number {
  return numberOption({ futureToleranceSeconds: numberIn(text) }, 'futureToleranceSeconds', 60, {})
}

/** An empty field stands for the default. */
function numberIn(text: string): number | undefined {
  return text.trim() === '' ? undefined : Number(text)
}
