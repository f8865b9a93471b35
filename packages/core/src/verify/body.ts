/** The bytes of a delivery, exactly as they were received. A string means its UTF-8 bytes. */
export type WebhookBody = Uint8Array | ArrayBuffer | string

/** Not a copy where it is bytes already. */
export function toBytes(body: WebhookBody): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof Uint8Array) return body
  if (isUint8Array(body)) {
    const { buffer, byteOffset, byteLength } = body as ArrayBufferView
    return new Uint8Array(buffer, byteOffset, byteLength)
  }
  if (isArrayBuffer(body)) return new Uint8Array(body)
  throw new TypeError(
    `The body must be the raw bytes: a Uint8Array, an ArrayBuffer or a string. ${hint(body)}`,
  )
}

/** The bytes, copied if they are in shared memory, because another thread may write to that at any time. */
export function unsharedBytes(bytes: Uint8Array): Uint8Array {
  if (bytes.buffer instanceof ArrayBuffer) return bytes
  return tagOf(bytes.buffer) === '[object SharedArrayBuffer]' ? copyOf(bytes) : bytes
}

/** A copy of the same class: of a Buffer a Buffer, whose own `slice` is a view. */
export function copyOf(bytes: Uint8Array): Uint8Array {
  return Uint8Array.prototype.slice.call(bytes)
}

export function isBody(value: unknown): value is WebhookBody {
  return typeof value === 'string' || isUint8Array(value) || isArrayBuffer(value)
}

/** Test runners and vm contexts have classes of their own, which `instanceof` does not know, but the same tags. */
export function isUint8Array(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && tagOf(value) === '[object Uint8Array]'
}

function isArrayBuffer(value: unknown): value is ArrayBuffer {
  try {
    // Not by its tag, which any object can have. The getter knows the buffers of other contexts, too.
    lengthOfArrayBuffer.call(value)
    return true
  } catch {
    return false
  }
}

// eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with a value
const lengthOfArrayBuffer = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'byteLength')!.get!

function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value)
}

const PARSED =
  'This is an object, probably what a JSON parser made of the body. Printing it again does not give the ' +
  'signed bytes back: pass the bytes from before parsing (in Express: express.raw({ type: () => true })).'
const UNREAD = 'Pass what its arrayBuffer() method resolves to.'
const HINTS: Readonly<Record<string, string>> = {
  '[object Object]': PARSED,
  '[object Array]': PARSED,
  '[object Request]': UNREAD,
  '[object Response]': UNREAD,
  '[object Blob]': UNREAD,
  '[object ReadableStream]': 'Read the stream to its end first and pass the bytes.',
  '[object Promise]': 'This is a promise: await it first.',
}

function hint(body: unknown): string {
  if (body == null) return 'The body is undefined; was it already consumed by a body parser?'
  const tag = tagOf(body)
  return HINTS[tag] ?? `This is of type ${tag.slice(8, -1)}.`
}
