import type { Infer } from '../http/infer.js'
import { invalid } from '../model/refusal.js'

/** What is typed in beside a card number. */
export const entryBody = {
  type: 'object',
  properties: {
    expiry: { type: 'string', description: 'Month and year: 12/34' },
    holder: { type: 'string', maxLength: 100 },
  },
} as const

/**
 * Looks at what is typed in beside a card number, and forgets it: no outcome depends on it.
 *
 * @throws {Refusal} on what no card has
 */
export function readEntry({ expiry, holder }: Infer<typeof entryBody>, now: number): void {
  if (expiry !== undefined) checkExpiry(expiry, now)
  if (holder?.trim() === '') throw invalid('holder', 'is missing')
}

function checkExpiry(expiry: string, now: number): void {
  const [, month, year] = /^(0[1-9]|1[0-2])\/(\d{2})$/.exec(expiry) ?? []
  if (month === undefined) throw invalid('expiry', 'must be a month and a year, such as 12/34')
  // A card is good to the end of its month, wherever on earth that ends last.
  const end = Date.UTC(2000 + Number(year), Number(month), 1, 12)
  if (end <= now) throw invalid('expiry', 'is in the past')
}
