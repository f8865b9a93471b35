/** The bytes of a delivery, exactly as they were received. A string stands for its UTF-8 bytes. */
export type WebhookBody = Uint8Array | ArrayBuffer | string

/** The body as bytes, without a copy where it is bytes already. */
export function toBytes(body: WebhookBody): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof Uint8Array) return body
  // Test runners and vm contexts have classes of their own, but the same tags.
  const tag = Object.prototype.toString.call(body)
  if (tag === '[object ArrayBuffer]') return new Uint8Array(body)
  if (tag === '[object Uint8Array]' && ArrayBuffer.isView(body)) return viewOf(body)
  throw new TypeError(
    `The body must be the raw bytes: a Uint8Array, an ArrayBuffer or a string. ${hint(body, tag)}`,
  )
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
