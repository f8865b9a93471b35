import { DECIMALS } from '../server/intents/currencies.js'

// Amounts, times and sizes as they are written everywhere on the page.

/** How many digits a currency has after the point. Composed events may name a currency that does not exist. */
export function decimalsOf(currency: string): number {
  return DECIMALS.get(currency) ?? 2
}

/** Such as "1,234.50 EUR". */
export function amountText(amount: number, currency: string): string {
  const digits = decimalsOf(currency)
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return `${amount.toLocaleString('en', options)} ${currency}`
}

const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
] as const

/** Such as "3 min". */
export function spanText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  for (const [name, length] of UNITS) {
    if (seconds >= length) return `${Math.floor(seconds / length)} ${name}`
  }
  return `${seconds} s`
}

/** Such as "3 min ago". */
export function agoText(time: number, now: number): string {
  const age = now - time
  return age < 1000 ? 'now' : `${spanText(age)} ago`
}

/** Such as "in 3 min". */
export function inText(time: number, now: number): string {
  return time <= now ? 'now' : `in ${spanText(time - now)}`
}

const FULL_TIME = new Intl.DateTimeFormat('en-CA', {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

/** The time to the second, where the person is. */
export function timeText(time: number): string {
  return FULL_TIME.format(time).replace(',', '')
}

/** How long something took: "12 ms" or "1.2 s". */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1) return '<1 ms'
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  return `${(milliseconds / 1000).toFixed(1)} s`
}

/** Such as "1.5 KiB". */
export function sizeText(bytes: number): string {
  return bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KiB`
}

/** An address without what all of them have: "localhost:3000/webhooks". */
export function shortUrl(url: string): string {
  return url.replace(/^https?:\/\//, '')
}

/** Such as "1 delivery" or "1,204 deliveries". */
export function countText(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}
