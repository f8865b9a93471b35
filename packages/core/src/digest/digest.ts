import type { Message } from '../versions.js'

/** "Is this the digest of this message under this key?" */
export interface Question<Key> {
  readonly key: Key
  readonly message: Message
  /** The text of `t`, which is signed right behind the message. */
  readonly timestamp: string
  /** In lowercase hex. */
  readonly digest: string
}

/** A search that asks for digests as it goes. It is written once, and runs on a digest that answers now or later. */
export type Search<Key, Result> = Generator<Question<Key>, Result, boolean>

/** HMAC with SHA-256, and SHA-256 alone, as the runtime offers them. */
export interface Digest<Key> {
  readonly importKey: (key: string | Uint8Array) => Key
  /** Whether `run` gives a promise, so that the caller may write to the body in between. */
  readonly isAsync: boolean
  /** Answers the search, and goes on with what it found. */
  readonly run: <Found, Result>(
    search: Search<Key, Found>,
    then: (found: Found) => Result,
  ) => Result | Promise<Result>
  /** The fingerprint of a key, once a digest was computed under it. */
  readonly fingerprintOf: (key: Key) => string
  /** SHA-256 of the prefix and the bytes, in lowercase hex. */
  readonly sha256: (bytes: Uint8Array, prefix?: string) => string | Promise<string>
}

/** A digest that answers at once: nothing else runs between the check of a body and its parsing. */
export interface SyncDigest<Key> extends Digest<Key> {
  readonly run: <Found, Result>(search: Search<Key, Found>, then: (found: Found) => Result) => Result
}

/** A key's fingerprint, of its SHA-256 in hex: enough to tell two keys apart, and useless for guessing either. */
export function toFingerprint(sha256: string): string {
  return `sha256:${sha256.slice(0, 8)}`
}
