import { FORMS } from './oracle/canonical.js'
import { digestOf } from './oracle/sign.js'
import { part } from './input.js'

/** @import { Input } from './input.js' */
/** @import { Rules } from './oracle/verdict.js' */
/** @import { Version } from './oracle/sign.js' */

/** The keys of the test vectors. */
export const SECRET = 'test_signature_key'
export const API_KEY = 'test_account_api_key'
const OTHER_SECRET = 'another_signature_key'

/** Where the clock stands, unless an input moves it. */
export const T = 1743090080

/** @type {readonly (readonly [Version, ...Version[]])[]} */
export const VERSION_LISTS = [
  ['v3'],
  ['v2'],
  ['v1'],
  ['v1', 'v2', 'v3'],
  ['v3', 'v2'],
  ['v2', 'v1'],
  ['v3', 'v1'],
  ['v3', 'v2', 'v1'],
]
const CLOCKS = [0, 5000, -5000, 300_000, 300_001, -60_000, -60_001, 86_400_000, -1e12]
const WINDOWS = [
  { toleranceSeconds: 300, futureToleranceSeconds: 60 },
  { toleranceSeconds: Infinity, futureToleranceSeconds: 60 },
  { toleranceSeconds: 300, futureToleranceSeconds: 0 },
]
const SECRETS = [[SECRET], [OTHER_SECRET, SECRET], [SECRET, OTHER_SECRET], [OTHER_SECRET]]

/**
 * How the part `setup` of an input chooses: each byte picks from a list, and one that is missing picks the first.
 *
 * @template Item
 * @param {Input} input
 * @param {number} place
 * @param {readonly Item[]} items
 * @returns {Item}
 */
export function choose(input, place, items) {
  const byte = part(input, 'setup')[place] ?? 0
  return /** @type {Item} */ (items[byte % items.length])
}

/**
 * The options of the verifier.
 *
 * @param {Input} input
 * @returns {Rules}
 */
export function rulesOf(input) {
  return {
    versions: choose(input, 0, VERSION_LISTS),
    now: T * 1000 + choose(input, 1, CLOCKS),
    ...choose(input, 2, WINDOWS),
    secrets: choose(input, 3, SECRETS),
    apiKey: API_KEY,
  }
}

/** @param {Input} input */
export function formOf(input) {
  return choose(input, 4, FORMS)
}

/** @param {Rules} rules */
export function optionsOf({ now, secrets, ...rules }) {
  return { ...rules, secret: secrets, now: () => now }
}

/**
 * The header of an input, where `{v1}`, `{v2}` and `{v3}` stand for the digests that are right for the body and the
 * first `t`. So a mutation of the header may still be a genuine one.
 *
 * @param {Input} input
 */
function headerOf(input) {
  const template = Buffer.from(part(input, 'header')).toString()
  const [, t = ''] = /t=([^,\t ]*)/.exec(template) ?? []
  return template.replace(/\{(v[123])\}/g, (token, /** @type {Version} */ version) => {
    const key = version === 'v1' ? API_KEY : SECRET
    return digestOf(version, key, part(input, 'body'), t, formOf(input)) ?? token
  })
}

/**
 * The header as a host may hand it over.
 *
 * @param {Input} input
 * @returns {unknown}
 */
export function headerValueOf(input) {
  const text = headerOf(input)
  const values = [text, [text], [text, text], [], null, undefined, [null], 5, { length: 1 }]
  return choose(input, 5, [...values, text, text, text])
}
