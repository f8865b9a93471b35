// Searches for differences in time that show something of a key or of a digest, by the method of dudect (Reparaz, Balasch,
// Verbauwhede: Dude, is my code constant time?): two classes of deliveries in random order, compared by Welch's t-test.
//
//   npm run measure -- timing [--calls 10000000] [--only <part of a name>]
import nodeCrypto, { createHmac, KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'
import { parseArgs } from 'node:util'
import * as node from '../packages/core/dist/index.mjs'
import * as web from '../packages/core/dist/index.web.mjs'
import { toMarkdown } from './report.js'

/** From this t on, the two classes differ. */
const FOUND = 4.5
const BATCH = 10_000
/** So many calls find the differences that are known, or the machine is too noisy to find others. */
const CONTROL_CALLS = 100_000
/** Which part of the calls is kept: dudect's steps, because slow calls are slow for other reasons, and all. */
const KEPT = [...Array.from({ length: 20 }, (_, step) => 1 - 0.5 ** ((step + 1) / 2)), 1]

const KEYS = ['test_signature_key_1', 'test_signature_key_2']
// Its three forms of v2 differ.
const BODY = Buffer.from(
  '{"type": "account.updated", "id": "acc_01jqbz3m8qk4w7v5e2d9xa6h1c", "a": 10.0, "b": "\u00e9"}',
)
const FORMS = ['\u00e9', '\\u00e9'].map(
  (b) => `{"a":10.0,"b":"${b}","id":"acc_01jqbz3m8qk4w7v5e2d9xa6h1c","type":"account.updated"}`,
)
const BASE64 = BODY.toString('base64')

/** @param text what the version signs, without the time */
function hmac(text, time, key = KEYS[0]) {
  const hash = createHmac('sha256', key)
  return hash.update(text + time).digest()
}

// Each delivery has another digest: a processor learns one that returns, so places in it would differ.
const SIGNED = Array.from({ length: BATCH }, () => {
  const time = String(1e9 + Math.floor(Math.random() * 7e8))
  const v3 = KEYS.map((key) => hmac(BASE64, time, key))
  return { time, v3, v2: FORMS.map((text) => hmac(text, time)) }
})

/** The header of some delivery with its digest under a key, or of a form, of which the byte at this place, if any, is wrong. */
function headerOf(version, which, wrongPlace) {
  const { time, ...digests } = SIGNED[Math.floor(Math.random() * BATCH)]
  const bytes = Buffer.from(digests[version][which])
  if (wrongPlace !== undefined) bytes[wrongPlace] ^= 1 + Math.floor(Math.random() * 255)
  // In one piece, as its first reader would make it.
  return Buffer.from(`t=${time},${version}=${bytes.toString('hex')}`).toString('latin1')
}

const LAST = 31
const withWrongByte = (other) => headerOf('v3', 0, other * LAST)

/** The headers of both classes, 0 and 1. A difference that `shows` something harmless is by design. */
const CASES = [
  { name: 'first wrong byte: 0 or 31', headers: withWrongByte },
  {
    name: 'nearly right under key: 1 or 2',
    secret: KEYS,
    headers: (other) => headerOf('v3', other, LAST),
  },
  {
    name: 'nearly right in v2 form: first or last',
    versions: ['v2'],
    headers: (other) => headerOf('v2', other, LAST),
  },
  {
    name: 'header: valid form or not',
    shows: 'the caller its own header, before any key is used',
    headers: (other) => headerOf('v3', 0, LAST).replace('v3', other ? 'V3' : 'v3'),
  },
  {
    name: 'right under key: 1 or 2',
    shows: 'the sender of a valid delivery which key signed it',
    secret: KEYS,
    headers: (other) => headerOf('v3', other),
  },
  {
    name: 'right in v2 form: first or last',
    shows: 'the sender of a valid delivery how its JSON was printed',
    versions: ['v2'],
    headers: (other) => headerOf('v2', other),
  },
  {
    name: 'control: hex compared by `!==`, wrong byte: 0 or 31',
    compare: (a, b) => a !== b,
    headers: withWrongByte,
  },
  {
    name: 'control: digit by digit, wrong byte: 0 or 31',
    compare: (a, b) => [...a].every((digit, index) => digit === b[index]),
    headers: withWrongByte,
  },
]

/** What a recipe does. Its digest is text in one piece, as in a header that has nothing else. */
function compareText(header, compare) {
  const digest = Buffer.from(header.slice(-64)).toString('latin1')
  const computed = hmac(BASE64, header.slice(2, 12)).toString('hex')
  beginComparison()
  return compare(computed, digest)
}

// A call is timed from its first comparison on: until then nothing depends on the digest, and hashing takes now longer, now
// shorter, by more than a comparison takes.
let comparedAt
function beginComparison() {
  comparedAt ??= performance.now()
}
nodeCrypto.timingSafeEqual = (a, b) => {
  beginComparison()
  return timingSafeEqual(a, b)
}

/** The functions that take a header, over an entry of core. */
const ENTRIES = {
  node: {
    verifying(options) {
      const { verifySignatureSync } = node.createVerifier(options)
      return (header) => {
        try {
          verifySignatureSync(BODY, header)
        } catch {
          // Refused, as it should be.
        }
      }
    },
    comparing: (compare) => (header) => compareText(header, compare),
  },
  web: {
    verifying(options) {
      const { verifySignature } = web.createVerifier(options)
      return (header) => verifySignature(BODY, header).catch(() => undefined)
    },
    comparing: (compare) => (header) => Promise.resolve(compareText(header, compare)),
  },
}

// Web Crypto that answers in the same thread: to wait for another would hide differences of less than 100 ns.
const keyObjects = new WeakMap()
crypto.subtle.verify = (_algorithm, key, signature, data) => {
  if (!keyObjects.has(key)) keyObjects.set(key, KeyObject.from(key))
  const digest = createHmac('sha256', keyObjects.get(key)).update(data).digest()
  return Promise.resolve(nodeCrypto.timingSafeEqual(digest, signature))
}

/** Counts, means and sums of squares of two classes, by Welford. */
class Welch {
  #classes = [0, 1].map(() => ({ count: 0, mean: 0, squares: 0 }))

  add(other, value) {
    const each = this.#classes[other]
    const distance = value - each.mean
    each.mean += distance / ++each.count
    each.squares += distance * (value - each.mean)
  }

  result() {
    const [a, b] = this.#classes
    const error = Math.sqrt(a.squares / (a.count - 1) / a.count + b.squares / (b.count - 1) / b.count)
    // If all calls that are left are of one class, there is nothing to compare.
    return { t: Math.min(a.count, b.count) < 2 ? 0 : Math.abs(a.mean - b.mean) / error, error }
  }
}

/** The t-test of each part that is kept. Each batch has its own limits, because the speed of a machine changes. */
class Timings {
  calls = 0
  #tests = KEPT.map(() => new Welch())

  add(times, classes) {
    const sorted = Float64Array.from(times).sort()
    const middle = sorted[BATCH / 2]
    const limits = KEPT.map((part) => sorted[Math.ceil(part * BATCH) - 1])
    for (let index = 0; index < BATCH; index++) {
      for (let test = KEPT.length - 1; test >= 0 && times[index] <= limits[test]; test--)
        this.#tests[test].add(classes[index], times[index] - middle)
    }
    this.calls += BATCH
  }

  result() {
    const results = this.#tests.map((test) => test.result())
    return {
      t: Math.max(...results.map(({ t }) => t)),
      resolution: FOUND * Math.min(...results.map(({ error }) => error || Infinity)),
    }
  }
}

async function measure({ headers, shows, compare, secret = KEYS[0], versions = ['v3'] }, entry, calls) {
  const options = { secret, versions, toleranceSeconds: Infinity }
  const call = compare ? entry.comparing(compare) : entry.verifying(options)
  const count = compare || shows ? Math.min(calls, CONTROL_CALLS) : calls
  const times = new Float64Array(BATCH)
  const timings = new Timings()
  let found
  // The first batches are for the compiler.
  for (let batch = -3; timings.calls < count; batch++) {
    const classes = randomBytes(BATCH).map((byte) => byte & 1)
    const made = Array.from(classes, headers)
    for (let index = 0; index < BATCH; index++) {
      const header = made[index]
      comparedAt = undefined
      const startedAt = performance.now()
      const pending = call(header)
      if (pending instanceof Promise) await pending
      times[index] = (performance.now() - (comparedAt ?? startedAt)) * 1e6
    }
    if (batch < 0) continue
    timings.add(times, classes)
    if (found === undefined && timings.result().t >= FOUND) found = timings.calls
  }
  const { t, resolution } = timings.result()
  const isDifferent = t >= FOUND
  const isAsExpected = compare ? found !== undefined : Boolean(shows) || !isDifferent
  const result = isDifferent
    ? `found in ${found.toLocaleString('en')}${shows ? `: shows ${shows}` : ''}`
    : 'none'
  return {
    isAsExpected,
    row: {
      calls: timings.calls.toLocaleString('en'),
      t: t.toFixed(2),
      'resolution, ns': resolution.toFixed(1),
      result: isAsExpected ? result : `UNEXPECTED: ${result}`,
    },
  }
}

const text = { type: 'string' }
const { values } = parseArgs({
  options: { calls: { ...text, default: '1000000' }, only: { ...text, default: '' } },
})
const calls = Number(values.calls)
if (!(calls >= BATCH)) throw new RangeError(`"--calls" must be at least ${BATCH}, got ${values.calls}`)

const rows = []
let isAsExpected = true
for (const each of CASES) {
  for (const [name, entry] of Object.entries(ENTRIES)) {
    if (!`${name}: ${each.name}`.includes(values.only)) continue
    const measured = await measure(each, entry, calls)
    rows.push({ compared: `${name}: ${each.name}`, ...measured.row })
    console.error(Object.values(rows.at(-1)).join('  '))
    isAsExpected &&= measured.isAsExpected
  }
}
console.log(`\n${toMarkdown(rows)}`)
process.exitCode = isAsExpected ? 0 : 1
