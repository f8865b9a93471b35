/** The bytes that a digest covers. The text of `t` follows them in every version. */
export interface Message {
  readonly bytes: Uint8Array
  /** The base64 text of the bytes is signed, not the bytes. */
  readonly base64?: true
}

/** An imported key. */
export interface HmacKey {
  /** Its SHA-256, in lowercase hex, once a digest was computed with it. */
  readonly sha256: string
}

/** An HMAC that answers at once: nothing else runs between the check of a body and its parsing. */
export interface SyncHmac<Key = HmacKey> {
  readonly isAsync: false
  readonly importKey: (key: string | Uint8Array) => Key
  /** Whether the digest, in lowercase hex, is that of the message and the text of `t`. Takes constant time. */
  matches(key: Key, message: Message, timestamp: string, digest: string): boolean
  /** SHA-256 of the prefix and the bytes, in lowercase hex. */
  sha256(bytes: Uint8Array, prefix?: string): string
}

/** The same with promises. */
export interface AsyncHmac<Key = HmacKey> {
  readonly isAsync: true
  readonly importKey: (key: string | Uint8Array) => Key
  matches(key: Key, message: Message, timestamp: string, digest: string): Promise<boolean>
  sha256(bytes: Uint8Array, prefix?: string): Promise<string>
}

/** HMAC with SHA-256, and SHA-256 alone. */
export type Hmac<Key = HmacKey> = SyncHmac<Key> | AsyncHmac<Key>

// More keys than this only cost an import each time, as much as hashing a small body.
const MAX_REMEMBERED = 100

/** The imported key of this text, which is imported only once. */
export function remembered<Key>(keys: Map<string, Key>, text: string, importKey: (text: string) => Key): Key {
  let key = keys.get(text)
  if (key === undefined) {
    if (keys.size === MAX_REMEMBERED) keys.clear()
    key = importKey(text)
    keys.set(text, key)
  }
  return key
}

/** A key's fingerprint, from its SHA-256 in hex: enough to tell two keys apart, and useless for guessing either. */
export function toFingerprint(sha256: string): string {
  return `sha256:${sha256.slice(0, 8)}`
}
