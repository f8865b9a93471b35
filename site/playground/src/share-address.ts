import { fieldOf, fromBase64 } from '@service-signature/deliveries'
import { isUtf8, printBytes, toBase64 } from './byte-text.js'
import { completeCase, type CompleteCase, type PlaygroundCase } from './playground-case.js'

/** How the fragment of an address starts that holds a case. The digit is the version of what follows. */
const PREFIX = '#case=1.'

/** Longer addresses are cut by programs that people send them with. */
const MAX_CHARACTERS = 30_000
/** A fragment of the longest address could hold a thousand times as much. */
const MAX_BYTES = 4 * 1024 * 1024

/** Whether the fragment of an address holds a case. */
export function isSharedCase(fragment: string): boolean {
  return fragment.startsWith(PREFIX)
}

/**
 * The fragment of an address that holds a case without its keys. Browsers do not send it to a server.
 *
 * @throws {Error} if it would contain a key, or be too long
 */
export async function fragmentOf(given: CompleteCase): Promise<string> {
  const { header, body, versions, receivedAt, toleranceSeconds, futureToleranceSeconds } = given
  checkWithoutKeys(given)
  const text = JSON.stringify({
    header,
    ...(isUtf8(body) ? { body: printBytes(body, 'text') } : { body_base64: toBase64(body) }),
    versions,
    receivedAt,
    // JSON has no Infinity.
    toleranceSeconds: String(toleranceSeconds),
    futureToleranceSeconds: String(futureToleranceSeconds),
  })
  const packed = await through(new CompressionStream('deflate-raw'), new TextEncoder().encode(text))
  const fragment = PREFIX + toBase64(packed).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  if (fragment.length <= MAX_CHARACTERS) return fragment
  throw new Error(
    `The delivery is too large for an address: ${fragment.length} characters, at most ${MAX_CHARACTERS}.`,
  )
}

/**
 * The case that a fragment holds.
 *
 * @throws {Error} if the address is broken
 */
export async function caseIn(fragment: string): Promise<PlaygroundCase> {
  try {
    const packed = fromBase64(fragment.slice(PREFIX.length))
    const bytes = await through(new DecompressionStream('deflate-raw'), packed)
    return readCase(JSON.parse(new TextDecoder().decode(bytes)))
  } catch {
    throw new Error('The address does not hold a whole delivery: it may have been cut.')
  }
}

function readCase(value: unknown): PlaygroundCase {
  const base64 = fieldOf(value, 'body_base64')
  const given = {
    header: fieldOf(value, 'header'),
    body: typeof base64 === 'string' ? fromBase64(base64) : fieldOf(value, 'body'),
    versions: fieldOf(value, 'versions'),
    receivedAt: fieldOf(value, 'receivedAt'),
    toleranceSeconds: Number(fieldOf(value, 'toleranceSeconds')),
    futureToleranceSeconds: Number(fieldOf(value, 'futureToleranceSeconds')),
  } as PlaygroundCase
  // Anything may be in an address; this throws on what a case cannot have.
  completeCase(given)
  return given
}

function checkWithoutKeys({ header, body, secrets, apiKeys }: CompleteCase): void {
  const texts = [[header].flat().join('\n'), printBytes(body, 'text')]
  const isInside = [...secrets, ...apiKeys].some((key) => texts.some((text) => text.includes(key.trim())))
  if (isInside) throw new Error('The header or the body contains one of the keys, so it is not shared.')
}

/** The bytes after a compression or decompression. @throws {RangeError} if they are too many */
async function through(
  transform: CompressionStream | DecompressionStream,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = []
  let length = 0
  const reader = new Blob([bytes]).stream().pipeThrough(transform).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    length += value.length
    if (length > MAX_BYTES) {
      await reader.cancel()
      throw new RangeError('too large')
    }
    pieces.push(value)
  }
  const whole = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
