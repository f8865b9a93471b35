// Amounts, times and sizes as they are written everywhere on the page.

/** Such as "1,234.50 EUR". No digit is left out, whatever the browser knows of the currency. */
export function amountText(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  const { minimumFractionDigits = 0 } = format.resolvedOptions()
  return `${amount.toLocaleString('en', { minimumFractionDigits, maximumFractionDigits: 3 })} ${currency}`
}

const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
] as const

/** Such as "3 min". */
function spanText(milliseconds: number): string {
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

/** The time to the second, where the person is. */
export function timeText(time: number): string {
  // The way that Swedish writes it: 2026-11-27 15:04:05.
  return new Date(time).toLocaleString('sv')
}

/** How long something took: "12 ms" or "1.2 s". */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1) return '<1 ms'
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  return `${(milliseconds / 1000).toFixed(1)} s`
}

/** An address without what all of them have: "localhost:3000/webhooks". */
export function shortUrl(url: string): string {
  return url.replace(/^https?:\/\//, '')
}
