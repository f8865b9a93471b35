import type { CanonicalForm } from '@service-signature/core'
import type { KeyKind } from '@service-signature/core/signature/keys'
import type { DigitRun } from '../digest-comparison.js'
import type { KeyDigest, SignedText, VersionSteps } from '../digest-steps.js'
import { counted } from '../words.js'
import { disclosure, make, type Child } from './dom.js'
import { textBox, type Marked } from './long-text.js'

const KEYS: Readonly<Record<KeyKind, string>> = { secret: 'secret', apiKey: 'API key' }

const FORMS: Readonly<Record<CanonicalForm, string>> = {
  source: 'Numbers and letters as they are in the body',
  ecmascript: 'Numbers and letters as JSON.stringify prints them',
  python: "Numbers and letters as Python's json.dumps prints them",
}

/** How each version makes its digest, next to the value of the header. */
export function digestsView(
  versions: readonly VersionSteps[],
  body: Uint8Array,
  timestamp: string | undefined,
) {
  return make(
    'section',
    { 'aria-label': 'Digests' },
    make('h2', {}, 'The digests, step by step'),
    ...versions.map((steps) => versionView(steps, body, timestamp)),
  )
}

function versionView(steps: VersionSteps, body: Uint8Array, timestamp: string | undefined): HTMLElement {
  const { version, keyKind, isRequired, problem } = steps
  const { tone, text } = resultOf(steps)
  return disclosure(
    `digest-${version}`,
    isRequired,
    [
      make('strong', {}, version),
      make('span', { class: `badge ${tone}` }, text),
      make('span', { class: 'note' }, isRequired ? 'required' : 'not required'),
    ],
    make(
      'ol',
      { class: 'steps' },
      ...(problem === undefined ? textSteps(steps, body) : [make('li', {}, problem)]),
      ...steps.texts.flatMap((signed, index) =>
        signedSteps(steps, signed, timestamp, KEYS[keyKind], steps.texts.length > 1 && index > 0),
      ),
    ),
  )
}

interface Result {
  readonly tone: 'good' | 'bad' | 'plain'
  readonly text: string
}

/** Whether the version matches under any of the keys. */
function resultOf({ texts, received, problem, keyKind }: VersionSteps): Result {
  const digests = texts.flatMap((signed) => signed.digests)
  if (digests.some(({ comparison }) => comparison?.matches)) return { tone: 'good', text: 'matches' }
  if (received === undefined) return { tone: 'plain', text: 'not in the header' }
  if (problem !== undefined) return { tone: 'bad', text: 'cannot be made' }
  if (digests.length > 0) return { tone: 'bad', text: 'differs' }
  return { tone: 'plain', text: `needs t and the ${KEYS[keyKind]}` }
}

/** From the body to the text that is signed. */
function textSteps({ version, removed, order }: VersionSteps, body: Uint8Array): readonly HTMLElement[] {
  if (removed === undefined) {
    return [make('li', {}, `The body as it was received: ${counted(body.length, 'byte')}.`)]
  }
  const marked: readonly Marked[] = removed.stretches.map(({ text, isRemoved }) =>
    isRemoved ? { text, mark: 'removed' } : { text },
  )
  return [
    make(
      'li',
      {},
      `Spaces and line breaks are removed from the body. ${removed.sentence}`,
      textBox(`Body with what ${version} removes`, marked),
    ),
    ...(order === undefined ? [] : [make('li', {}, order)]),
  ]
}

/** From the text that is signed to the digest. Those of a second form of v2 start with its name. */
function signedSteps(
  { version, received }: VersionSteps,
  { text, form, digests }: SignedText,
  timestamp: string | undefined,
  key: string,
  isOther: boolean,
): readonly HTMLElement[] {
  const title = version === 'v3' ? 'Base64 of these bytes' : form === undefined ? 'What is left' : FORMS[form]
  const name = form === undefined ? version : `${version}, form ${form}`
  const signed = make(
    'li',
    {},
    `${isOther ? 'Or: ' : ''}${title}:`,
    textBox(`Signed text of ${name}`, [{ text }]),
  )
  if (timestamp === undefined) return [signed, make('li', {}, 'The header has no valid t to append.')]
  const message = make('li', {}, 't is appended, without a separator:', messageEnd(text, timestamp))
  if (digests.length === 0)
    return [signed, message, make('li', {}, `HMAC-SHA256 needs the ${key}: enter it.`)]
  return [signed, message, ...digests.map((digest) => digestStep(digest, received, name))]
}

/** The end of the message, where a reader sees what follows what. */
function messageEnd(text: string, timestamp: string): HTMLElement {
  const end = text.slice(-24)
  const before = text.length > end.length ? `...${end}` : end
  return make('p', { class: 'mono' }, before, make('mark', { class: 'added' }, timestamp))
}

function digestStep({ label, hex, comparison }: KeyDigest, received: string | undefined, name: string) {
  const rows: Child[] = [row('Computed', comparison?.computed ?? [{ text: hex, differs: false }])]
  if (received !== undefined) rows.push(row('In the header', comparison?.received ?? []))
  const sentence = comparison === undefined ? 'The header does not have it.' : comparison.sentence
  return make(
    'li',
    { 'data-digest': name },
    `HMAC-SHA256 with the ${label}, in hex:`,
    make('dl', { class: 'digits' }, ...rows),
    make('p', { class: comparison?.matches ? 'good' : 'bad' }, sentence),
  )
}

function row(title: string, digits: readonly DigitRun[]): HTMLElement {
  const marked = digits.map(({ text, differs }) =>
    differs ? make('mark', { class: 'differs' }, text) : text,
  )
  return make('div', {}, make('dt', {}, title), make('dd', { class: 'mono' }, ...marked))
}
