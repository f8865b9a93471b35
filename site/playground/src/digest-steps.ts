import type { CanonicalForm, Version } from '@service-signature/core'
import { withoutSpaces } from '@service-signature/core/signature/canonical-json/forms'
import type { KeyKind } from '@service-signature/core/signature/keys'
import { CANONICAL_FORMS, VERSION_NAMES } from '@service-signature/core/signature/names'
import { VERSIONS } from '@service-signature/core/signature/versions'
import { toBase64 } from './byte-text.js'
import { compareDigests, type DigestComparison } from './digest-comparison.js'
import { hmacHex } from './hmac-hex.js'
import type { CompleteCase } from './playground-case.js'
import { Refusal, resultOf } from './refusal.js'
import { removedSpace, V1_REMOVES, V2_REMOVES, type RemovedSpace } from './removed-space.js'

/** How a version makes its digest of a body. */
export interface VersionSteps {
  readonly version: Version
  readonly keyKind: KeyKind
  readonly isRequired: boolean
  /** The value in the header, as it was sent. */
  readonly received?: string
  /** What is removed from the body first; v3 removes nothing. */
  readonly removed?: RemovedSpace
  /** What happens to the keys of objects, in a sentence; only v2 changes something. */
  readonly order?: string
  /** The texts that may have been signed: v2 has up to three forms. */
  readonly texts: readonly SignedText[]
  /** Why there is no text to sign. */
  readonly problem?: string
}

export interface SignedText {
  readonly form?: CanonicalForm
  /** What is signed, before the timestamp. */
  readonly text: string
  /** The digest under each key; empty if there is no key or no timestamp. */
  readonly digests: readonly KeyDigest[]
}

export interface KeyDigest {
  /** `secret`, or `secret 2` if there are several. */
  readonly label: string
  readonly hex: string
  /** Missing if the header does not have the version. */
  readonly comparison?: DigestComparison
}

/** The steps of the header to compare with. */
export interface ReceivedHeader {
  readonly timestamp: string | undefined
  readonly values: ReadonlyMap<string, string>
}

/** The steps of every version, those that are required first, and of these the newest. */
export async function digestSteps(
  given: CompleteCase,
  header: ReceivedHeader,
): Promise<readonly VersionSteps[]> {
  const steps = await Promise.all(VERSION_NAMES.map((version) => stepsOf(version, given, header)))
  return steps.reverse().sort((a, b) => Number(b.isRequired) - Number(a.isRequired))
}

async function stepsOf(
  version: Version,
  given: CompleteCase,
  { timestamp, values }: ReceivedHeader,
): Promise<VersionSteps> {
  const { body, versions } = given
  const keyKind = VERSIONS[version].key
  const received = values.get(version)
  const shared = {
    version,
    keyKind,
    isRequired: versions.includes(version),
    ...(received !== undefined && { received }),
  }
  const messages = messagesOf(version, body)
  if (messages instanceof Refusal) return { ...shared, texts: [], problem: messages.sentence }

  const keys = keyKind === 'secret' ? given.secrets : given.apiKeys
  const texts: SignedText[] = []
  for (const { bytes, form } of messages) {
    const digests = timestamp === undefined ? [] : await digestsOf(bytes, timestamp, keys, keyKind, received)
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
    texts.push({ text, digests, ...(form !== undefined && { form }) })
  }
  if (version === 'v3') return { ...shared, texts }
  if (version === 'v1') return { ...shared, texts, removed: removedSpace(body, V1_REMOVES) }
  return {
    ...shared,
    texts,
    removed: removedSpace(body, V2_REMOVES),
    order: orderIn(body, messages[0]!.bytes),
  }
}

interface SignedBytes {
  readonly bytes: Uint8Array
  readonly form?: CanonicalForm
}

/** What a version signs, or why it cannot. */
function messagesOf(version: Version, body: Uint8Array): readonly SignedBytes[] | Refusal {
  return resultOf(() =>
    Array.from(VERSIONS[version].messages(body, CANONICAL_FORMS), ({ bytes, base64, form }) => ({
      bytes: base64 ? new TextEncoder().encode(toBase64(bytes)) : bytes,
      ...(form !== undefined && { form }),
    })),
  )
}

async function digestsOf(
  bytes: Uint8Array,
  timestamp: string,
  keys: readonly string[],
  kind: KeyKind,
  received: string | undefined,
): Promise<readonly KeyDigest[]> {
  const name = kind === 'secret' ? 'secret' : 'API key'
  return Promise.all(
    keys.map(async (key, index) => {
      const hex = await hmacHex(key, bytes, timestamp)
      return {
        label: keys.length === 1 ? name : `${name} ${index + 1}`,
        hex,
        ...(received !== undefined && { comparison: compareDigests(hex, received) }),
      }
    }),
  )
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/** What v2 does besides removing white space. */
function orderIn(body: Uint8Array, canonical: Uint8Array): string {
  const hasMark = BYTE_ORDER_MARK.every((byte, at) => body[at] === byte)
  const plain = withoutSpaces((hasMark ? body.subarray(3) : body).filter((byte) => byte !== 0x09))
  const isSame = plain.length === canonical.length && plain.every((byte, at) => byte === canonical[at])
  return [
    isSame ? 'The keys of each object are in order already.' : 'The keys of each object are sorted.',
    ...(plain.length > canonical.length ? ['Of a repeated key, only the last is kept.'] : []),
    ...(hasMark ? ['The byte order mark is left out.'] : []),
  ].join(' ')
}
