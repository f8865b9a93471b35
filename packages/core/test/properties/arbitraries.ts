import fc from 'fast-check'
import type { CanonicalForm, SignatureHeaderValue, Version } from '../../src/entries/index.js'
import { intentEvent, transactionEvent } from '../../src/entries/testing.js'
import { gaps, print, reversed, type Tree, trees } from '../support/json.js'
import { vectorFiles } from '../support/vectors.js'
import { FORMS } from './oracle/canonical.js'
import { readJson } from './oracle/json.js'
import { digestOf, type Rules } from './oracle/verdict.js'

/** The keys of the test vectors. */
export const SECRET = 'test_signature_key'
export const API_KEY = 'test_account_api_key'
const OTHER_SECRET = 'another_signature_key'

export const T = 1743090080

/** In most cases the usual value: a delivery that is unusual in every respect is never accepted. */
function mostly<Value>(usual: Value, ...others: readonly Value[]): fc.Arbitrary<Value> {
  return fc.oneof(
    { weight: 5, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  )
}

// Options of a verifier

export const usualRules: Rules = {
  versions: ['v3'],
  now: T * 1000,
  toleranceSeconds: 300,
  futureToleranceSeconds: 60,
  secrets: [SECRET],
  apiKey: API_KEY,
}

const VERSION_LISTS: readonly Rules['versions'][] = [
  ['v3'],
  ['v2'],
  ['v1'],
  ['v1', 'v2', 'v3'],
  ['v3', 'v2'],
  ['v2', 'v1'],
  ['v3', 'v1'],
  ['v3', 'v2', 'v1'],
]
const CLOCKS = [5000, -5000, 300_000, 300_001, -60_000, -60_001, 86_400_000, -1e12]

const rules: fc.Arbitrary<Rules> = fc.record({
  versions: fc.constantFrom(...VERSION_LISTS),
  now: mostly(0, ...CLOCKS).map((milliseconds) => T * 1000 + milliseconds),
  toleranceSeconds: mostly(300, Infinity),
  futureToleranceSeconds: mostly(60, 0),
  secrets: mostly([SECRET], [OTHER_SECRET, SECRET], [SECRET, OTHER_SECRET], [OTHER_SECRET]),
  apiKey: fc.constant(API_KEY),
})

export function optionsOf({ now, secrets, ...rest }: Rules) {
  return { ...rest, secret: secrets, now: () => now }
}

export const forms = fc.constantFrom<CanonicalForm>(...FORMS)

// Bodies

/** Bytes that break programs. */
const TOKENS = [
  ...[' ', '\n', '\r', '\r\n', '\t', '\0', '\u007f', '\u00a0', '\u2028', '\ufeff', '\ufffd', '\u{1f600}'],
  ...['{', '}', '[', ']', ':', ',', '"', '\\', '0', '-', '.', 'e', '\\u0000', '\\ud83d', '\\ude00', '\\/'],
  ...[
    'null',
    'true',
    '1e400',
    '-0',
    '10.0',
    '9007199254740993',
    '"__proto__":',
    '"a":1,',
    'gzip',
    'identity',
  ],
].map(bytesOf)
const BAD_UTF8 = [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82], [0xf4, 0x90, 0x80, 0x80], [0x80]]

/** Inserts bytes, then writes the following `span` bytes `copies` times: 0 removes them. */
interface Splice {
  readonly at: number
  readonly inserted: Uint8Array
  readonly span: number
  readonly copies: number
}

const splices: fc.Arbitrary<Splice> = fc.record({
  at: fc.nat(),
  inserted: fc.oneof(
    fc.constantFrom(...TOKENS, ...BAD_UTF8.map((bytes) => Uint8Array.from(bytes))),
    fc.uint8Array({ maxLength: 2 }),
  ),
  span: fc.oneof({ weight: 9, arbitrary: fc.nat(4) }, { weight: 1, arbitrary: fc.nat(100_000) }),
  copies: fc.oneof(
    { weight: 90, arbitrary: fc.constantFrom(0, 1, 2) },
    { weight: 1, arbitrary: fc.nat(2000) },
  ),
})
const manySplices = fc.array(splices, { minLength: 1, maxLength: 4 })

const MAX_BYTES = 32_768

function spliced(bytes: Uint8Array, changes: readonly Splice[]): Uint8Array<ArrayBuffer> {
  const changed = changes.reduce((last, { at, inserted, span, copies }) => {
    const start = at % (last.length + 1)
    const stretch = last.subarray(start, start + span)
    const count = Math.min(copies, Math.ceil(MAX_BYTES / Math.max(stretch.length, 1)))
    const written = Array.from({ length: count }, () => stretch)
    return Buffer.concat([
      last.subarray(0, start),
      inserted,
      ...written,
      last.subarray(start + stretch.length),
    ])
  }, Buffer.from(bytes))
  return Uint8Array.from(changed.subarray(0, MAX_BYTES))
}

/** A change of the node that a path leads to. It alters the value, except for `reprint`. */
interface TreeChange {
  readonly path: readonly number[]
  readonly action: 'replace' | 'remove' | 'repeat' | 'rename' | 'reprint'
  readonly key: string
  readonly value: Tree
}

const TYPES = ['"transaction."', '"transaction.refund.successful"', '"intent.processed"', '"payout.sent"']

const treeChanges: fc.Arbitrary<TreeChange> = fc.record({
  path: fc.array(fc.nat(30), { minLength: 1, maxLength: 7 }),
  action: fc.constantFrom('replace', 'remove', 'repeat', 'rename', 'reprint'),
  key: fc.constantFrom('"a"', '"\\u0061"', '"type"', '"__proto__"', '"constructor"', '"id"', '""'),
  value: fc.oneof(
    trees,
    fc.constantFrom(...TYPES).map((token) => ({ token })),
  ),
})

function changedTree(tree: Tree, change: TreeChange, [step, ...path] = change.path): Tree {
  if ('token' in tree) return change.action === 'reprint' ? reprinted(tree.token) : change.value
  if (step === undefined) return change.action === 'reprint' ? reversed(tree) : change.value

  const isHere = path.length === 0
  function changedList<Item>(list: readonly Item[], changed: (item: Item) => Item): Item[] {
    return list.flatMap((item, index) => {
      if (index !== step! % list.length) return [item]
      if (isHere && change.action === 'remove') return []
      return isHere && change.action === 'repeat' ? [item, changed(item)] : [changed(item)]
    })
  }
  if ('items' in tree) return { items: changedList(tree.items, (item) => changedTree(item, change, path)) }
  return {
    members: changedList(tree.members, ([key, value]) =>
      isHere && change.action === 'rename' ? [change.key, value] : [key, changedTree(value, change, path)],
    ),
  }
}

/** The same value as JSON.stringify writes it, or a string with all characters escaped. */
function reprinted(token: string): Tree {
  const value = JSON.parse(token) as unknown
  if (typeof value !== 'string') return { token: JSON.stringify(value) }
  const units = Array.from({ length: value.length }, (_, at) => value.charCodeAt(at))
  return { token: `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"` }
}

/** Changes of a body between the sender and the receiver. */
export type Change = (body: Uint8Array) => Uint8Array<ArrayBuffer>

export function unchanged(body: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(body)
}

export const jsonChanges: fc.Arbitrary<Change> = fc
  .tuple(fc.array(treeChanges, { minLength: 1, maxLength: 3 }), gaps)
  .map(([changes, gap]) =>
    withText(changes, (body) => {
      const tree = readJson(body)
      if (tree === undefined) return Uint8Array.from(body)
      return bytesOf(
        print(
          changes.reduce<Tree>((last, change) => changedTree(last, change), tree),
          gap,
        ),
      )
    }),
  )

const changes: fc.Arbitrary<Change> = fc.oneof(
  fc.constant(unchanged),
  manySplices.map((all) => withText(all, (body) => spliced(body, all))),
  jsonChanges,
)

/** A failing property prints what a change does, because a function would print as its source. */
function withText(text: unknown, change: Change): Change {
  return Object.assign(change, { [fc.toStringMethod]: () => `change ${fc.stringify(text)}` })
}

const vectors = vectorFiles
  .flatMap(({ testGroups }) => testGroups.flatMap(({ tests }) => tests))
  .map(({ body, header }) => ({ body: Uint8Array.from(Buffer.from(body, 'hex')), header }))
  .filter(({ body }) => body.length < MAX_BYTES)

/** Around the limit of 512 levels. */
const deepBodies = fc
  .tuple(fc.integer({ min: 510, max: 514 }), fc.constantFrom(['[', ']'], ['{"a":', '}']))
  .map(([levels, [open, close]]) => bytesOf(`${open.repeat(levels)}1${close.repeat(levels)}`))

export const eventBodies = [transactionEvent(), intentEvent()].map((event) => bytesOf(JSON.stringify(event)))

export const bodies = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(trees, gaps).map(([tree, gap]) => bytesOf(print(tree, gap))) },
  { weight: 4, arbitrary: fc.constantFrom(...vectors).map(({ body }) => body) },
  { weight: 1, arbitrary: fc.constantFrom(...eventBodies) },
  { weight: 1, arbitrary: deepBodies },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 100 }) },
)

// Headers, in which {v1}, {v2} and {v3} stand for the digests that are right for the signed body and the first t

const ELEMENTS = [
  ...['{v3}', '{v2}', '{v1}'].flatMap((digest) => [`v3=${digest}`, `v2=${digest}`, `v1=${digest}`]),
  ...['t=1743090080', 't=1743090081', 't=01743090080', 't=0', 't=', 't=999999999999', 't=1743090080000'],
  ...['t=+1743090080', 't=1743090080.0', 't=1e9', 't= 1743090080', 'T=1743090080', 't=\u0661'],
  ...['v4={v3}', 'v30={v3}', 'v3', 'v3==', '=', '', ' ', '__proto__=1', 'constructor=1', 'v3={v3}0'],
  ...[`v3=${'0'.repeat(64)}`, `v3=${'A'.repeat(64)}`, `v3=${'0'.repeat(63)}\u0661`, 'v\u0131=1', 'a\nb=1'],
  ...['x='.padEnd(900, 'x'), 'x=1,'.repeat(15).slice(0, -1)],
]
const SEPARATORS = [', ', ' ,', '\t,\t', ';', ',,', '\u00a0,', '\n', ',\n']
const USUAL_ELEMENTS = [`t=${T}`, 'v1={v1}', 'v2={v2}', 'v3={v3}']

const changedElements = fc
  .record({
    elements: fc.oneof(fc.constant(USUAL_ELEMENTS), fc.shuffledSubarray(USUAL_ELEMENTS)),
    insertions: fc.array(
      fc.record({ at: fc.nat(4), replaced: fc.nat(1), element: fc.constantFrom(...ELEMENTS) }),
      { maxLength: 2 },
    ),
    separator: mostly(',', ...SEPARATORS),
  })
  .map(({ elements, insertions, separator }) => {
    const changed = [...elements]
    for (const { at, replaced, element } of insertions) changed.splice(at, replaced, element)
    return changed.join(separator)
  })

const templates = fc.oneof(
  { weight: 8, arbitrary: fc.constant(USUAL_ELEMENTS.join()) },
  { weight: 4, arbitrary: changedElements },
  { weight: 1, arbitrary: fc.constantFrom(...vectors.map(({ header }) => String(header))) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(changedElements, manySplices)
      .map(([text, all]) => Buffer.from(spliced(bytesOf(text), all)).toString()),
  },
)

/** The value of the header as a host may pass it, in JavaScript also of a wrong type. */
const hostValues = mostly<(text: string) => unknown>(
  (text) => text,
  (text) => [text],
  (text) => [text, text],
  ...[[], null, undefined, [null], 5, { length: 1 }].map((value) => () => value),
)

// Deliveries

interface Parts {
  readonly rules: Rules
  readonly form: CanonicalForm
  readonly template: string
  readonly hostValue: (text: string) => unknown
  readonly signed: Uint8Array<ArrayBuffer>
  readonly change: Change
}

export interface Delivery {
  readonly rules: Rules
  readonly form: CanonicalForm
  readonly header: SignatureHeaderValue
  /** The signed delivery. */
  readonly signed: Uint8Array
  /** The received delivery. */
  readonly body: Uint8Array<ArrayBuffer>
}

/** A signed delivery, and its changes on the way. */
export const transmissions = fc.record({
  signed: fc.tuple(bodies, changes).map(([body, change]) => change(body)),
  form: forms,
  change: fc.oneof(fc.constant(unchanged), changes),
})

/** The delivery that a sender and a host make of these parts: the usual ones where they are missing. */
export function deliver({
  rules = usualRules,
  form = 'source',
  template = USUAL_ELEMENTS.join(),
  hostValue = (text) => text,
  signed = bytesOf('{}'),
  change = unchanged,
}: Partial<Parts> = {}): Delivery {
  const [, t = ''] = /t=([^,\t ]*)/.exec(template) ?? []
  const text = template.replace(/\{(v[123])\}/g, (_, version: Version) => {
    return digestOf(version, version === 'v1' ? API_KEY : SECRET, signed, t, form) ?? '0'.repeat(64)
  })
  return { rules, form, header: hostValue(text) as SignatureHeaderValue, signed, body: change(signed) }
}

export const deliveries = fc
  .record({ transmission: transmissions, rules, template: templates, hostValue: hostValues })
  .map(({ transmission, ...parts }) => deliver({ ...transmission, ...parts }))

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(text))
}
