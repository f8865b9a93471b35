import type { Digest } from './digest/digest.js'

const encoder = new TextEncoder()

/** The first digits of SHA-256: enough to tell two keys apart, and none of them can be made from it. */
export async function fingerprintWith(
  { sha256 }: Pick<Digest<unknown>, 'sha256'>,
  key: string,
): Promise<string> {
  if (typeof (key as unknown) !== 'string' || key === '') {
    throw new TypeError('fingerprint needs a key: a string that is not empty')
  }
  return `sha256:${(await sha256(encoder.encode(key))).slice(0, 8)}`
}
