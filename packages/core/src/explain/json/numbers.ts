import { pythonNumber } from '../../canonical-json/tokens.js'
import type { Piece } from './pieces.js'
import type { Spelling } from './spelling.js'

/** What S6.6 calls the fields that hold an amount, and what others do. */
const AMOUNT = /amount|value|price|total/i

const MAX_KEYS = 4

/**
 * As printers spell numbers, the likeliest sender first. Which integers were floats cannot be seen, but numbers under
 * one key are of one type.
 */
export function numberSpellings(pieces: readonly Piece[]): readonly Spelling[] {
  const numbers = pieces.filter(({ kind }) => kind === 'number')
  const integers = [...new Set(numbers.filter(isInteger).map(({ key }) => key))]
  const few = integers.slice(0, MAX_KEYS)
  const sets = distinct([
    integers,
    integers.filter((key) => AMOUNT.test(key)),
    ...few.map((key) => [key]),
    ...few.map((key) => integers.filter((other) => other !== key)),
  ])
  const isWritten = numbers.some(({ text }) => /[.eE]/.test(text))
  return [
    ...sets.map((keys) => floats(new Set(keys))),
    ...(isWritten ? [asPython, asEcmascript] : []),
    ...decimals(numbers),
  ]
}

const asPython: Spelling = {
  says: ['numbers as Python prints floats'],
  number: ({ text }) => likePython(text),
}

const asEcmascript: Spelling = {
  says: ['numbers as JavaScript prints them'],
  number: ({ text }) => String(Number(text)),
}

/** The lists that have something in them, and each once. */
function distinct(lists: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return [...new Map(lists.filter((list) => list.length > 0).map((list) => [list.join('\0'), list])).values()]
}

function floats(keys: ReadonlySet<string>): Spelling {
  return {
    says: [keys.size === 1 ? 'whole numbers of one field as 10.0' : 'whole numbers as 10.0'],
    number: (token) => likePython(isInteger(token) && keys.has(token.key) ? `${token.text}.0` : token.text),
  }
}

/** Money with two decimals, as decimal types print it. */
function decimals(numbers: readonly Piece[]): readonly Spelling[] {
  const money = numbers.filter(isMoney)
  if (money.length === 0) return []
  const amounts = money.filter(({ key }) => AMOUNT.test(key))
  const isMixed = amounts.length > 0 && amounts.length < money.length
  return [...(isMixed ? [cents(({ key }) => AMOUNT.test(key))] : []), cents(() => true)]
}

function cents(isChosen: (token: Piece) => boolean): Spelling {
  return {
    says: ['numbers with two decimals, as 10.00'],
    number: (token) => (isMoney(token) && isChosen(token) ? Number(token.text).toFixed(2) : token.text),
  }
}

function isMoney({ text }: Piece): boolean {
  return /^-?\d{1,12}(?:\.\d)?$/.test(text)
}

function isInteger({ text }: Piece): boolean {
  return /^-?\d+$/.test(text)
}

function likePython(token: string): string {
  // Most are spelled so already.
  if (/^-?(?:[1-9]\d{0,14}|0)(?:\.0|\.\d{0,2}[1-9])?$/.test(token)) return token
  return pythonNumber(token)
}
