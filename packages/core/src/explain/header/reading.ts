import { WebhookError } from '../../errors.js'
import { parseSignatureHeader, type SignatureHeader, type SignatureHeaderValue } from '../../header.js'
import { VERSION_NAMES, type Version } from '../../versions.js'
import type { HeaderDigest, Reading, Step } from '../case.js'
import { resultOf } from '../refusal.js'
import { elementOf, type Element } from './element.js'
import { fault } from './faults.js'
import { repairText } from './repairs.js'
import { timesOf } from './time.js'

/**
 * What the header may say. By the grammar of S6.2 where it holds, and there is nothing to guess; else whatever can be
 * made of it, with the faults that this supposes.
 */
export function readHeader(value: SignatureHeaderValue, listed: readonly Version[]): readonly Reading[] {
  const parsed = resultOf(() => parseSignatureHeader(value))
  const strict = WebhookError.is(parsed) ? undefined : parsed
  if (strict !== undefined && listed.every((version) => strict.signatures[version] !== undefined)) {
    return [asItStands(strict)]
  }
  const repaired = textsOf(value).flatMap(({ text, faults }) => tolerant(text, faults, listed))
  // A version that is missing may stand there under another name.
  return strict === undefined
    ? repaired
    : [asItStands(strict), ...repaired.filter(({ digests }) => digests.some(isAtFault))]
}

function isAtFault({ faults }: HeaderDigest): boolean {
  return faults.length > 0
}

function asItStands({ timestamp, signatures }: SignatureHeader): Reading {
  const digests = VERSION_NAMES.flatMap((version) => {
    const hex = signatures[version]
    return hex === undefined ? [] : [{ label: version, version, hex, faults: [] }]
  })
  return { timestamp, seconds: Number(timestamp), digests, faults: [] }
}

interface Source {
  readonly text: string
  readonly faults: readonly Step[]
}

function textsOf(value: unknown): readonly Source[] {
  if (typeof value === 'string') return [{ text: value, faults: [] }]
  const items = Array.isArray(value) ? (value as unknown[]).filter((item) => typeof item === 'string') : []
  if (items.length === 0) return []
  const faults =
    items.length === 1 ? [] : [fault('header-repeated', `the header came as ${items.length} values`)]
  return [{ text: items.join(), faults }]
}

function tolerant(text: string, before: readonly Step[], listed: readonly Version[]): readonly Reading[] {
  const { elements, faults } = repairText(text)
  const groups = grouped(elements.map(elementOf))
  const isRepeated = groups.length > 1 && before.length === 0
  const repeated = isRepeated
    ? [fault('header-repeated', `the header holds ${groups.length} signatures, one behind the other`)]
    : []
  const [first = []] = groups
  return [first, ...groups.slice(1).slice(-1)].flatMap((group) =>
    readingsOf(group, first, [...before, ...repeated, ...faults], listed),
  )
}

/** A name that stands there again begins the next signature. */
function grouped(elements: readonly Element[]): readonly (readonly Element[])[] {
  const groups: Element[][] = [[]]
  for (const element of elements) {
    const isAgain = groups
      .at(-1)!
      .some((other) => nameOf(other) !== undefined && nameOf(other) === nameOf(element))
    if (isAgain) groups.push([])
    groups.at(-1)!.push(element)
  }
  return groups
}

function nameOf(element: Element): string | undefined {
  return element.kind === 'digest' ? element.name : element.kind === 'time' ? 't' : undefined
}

function readingsOf(
  group: readonly Element[],
  first: readonly Element[],
  faults: readonly Step[],
  listed: readonly Version[],
): readonly Reading[] {
  const named = group.flatMap((element) =>
    element.kind === 'digest' && element.digest ? [element.digest] : [],
  )
  const isMissing = (version: Version) => !named.some(({ label }) => label === version)
  const unnamed = group.flatMap((element) => (element.kind === 'unnamed' ? element.digests : []))
  const digests = [
    ...named,
    ...unnamed.filter(({ version }) => listed.includes(version) && isMissing(version)),
  ]
  const time = [...group, ...first].find((element) => element.kind === 'time')
  if (time === undefined) return [{ timestamp: undefined, seconds: undefined, digests, faults }]
  return timesOf(time.text).map((read) => ({
    timestamp: read.timestamp,
    seconds: read.seconds,
    digests,
    faults: [...faults, ...time.faults, ...read.faults],
  }))
}
