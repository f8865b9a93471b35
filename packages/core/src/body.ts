/** The bytes of a delivery, exactly as they were received. A string stands for its UTF-8 bytes. */
export type WebhookBody = Uint8Array | ArrayBuffer | string

/** The body as bytes, without a copy where it is bytes already. */
export function toBytes(body: WebhookBody): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof Uint8Array) return body
  if (isUint8Array(body)) return viewOf(body)
  if (isArrayBuffer(body)) return new Uint8Array(body)
  throw new TypeError(
    `The body must be the raw bytes: a Uint8Array, an ArrayBuffer or a string. ${hint(body, tagOf(body))}`,
  )
}

/**
 * The bytes that `toBytes` made of the body, so that they cannot change while a verifier works. Shared memory is always
 * copied, because another thread may write to it at any time. Other memory of the caller is copied if the verifier has to
 * wait: meanwhile the caller may write to it or give it away.
 */
export function steadyBytes(body: WebhookBody, bytes: Uint8Array, waits: boolean): Uint8Array {
  if (waits && typeof body !== 'string') return copyOf(bytes)
  return bytes.buffer instanceof ArrayBuffer || !isShared(bytes.buffer) ? bytes : copyOf(bytes)
}

/** A copy of the same class: of a Buffer a Buffer, whose own `slice` is a view. */
function copyOf(bytes: Uint8Array): Uint8Array {
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
  return tagOf(value) === '[object ArrayBuffer]'
}

function isShared(buffer: ArrayBufferLike): boolean {
  return tagOf(buffer) === '[object SharedArrayBuffer]'
}

function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value)
}

function viewOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

function hint(body: unknown, tag: string): string {
  switch (tag) {
    case '[object Object]':
    case '[object Array]':
      return (
        'This is an object, probably what a JSON parser made of the body. Printing it again does not give the ' +
        'signed bytes back: pass the bytes from before parsing (in Express: express.raw({ type: () => true })).'
      )
    case '[object Request]':
    case '[object Response]':
    case '[object Blob]':
      return 'Pass what its arrayBuffer() method resolves to.'
    case '[object ReadableStream]':
      return 'Read the stream to its end first and pass the bytes.'
    case '[object Promise]':
      return 'This is a promise: await it first.'
    default:
      return body == null
        ? 'There is none: has another parser read the request already?'
        : `This is of type ${tag.slice(8, -1)}.`
  }
}
