import { MAX_DEPTH, notJson, tooDeep } from './errors.js'

/** The bytes of a delivery, exactly as they were received. A string means its UTF-8 bytes. */
export type WebhookBody = Uint8Array | ArrayBuffer | string

/** The body as bytes, without a copy where it is bytes already. */
export function toBytes(body: WebhookBody): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof Uint8Array) return body
  if (isUint8Array(body)) {
    const { buffer, byteOffset, byteLength } = body as ArrayBufferView
    return new Uint8Array(buffer, byteOffset, byteLength)
  }
  if (isArrayBuffer(body)) return new Uint8Array(body)
  throw new TypeError(
    `The body must be the raw bytes: a Uint8Array, an ArrayBuffer or a string. ${hint(body, tagOf(body))}`,
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
        ? 'The body is undefined; was it already consumed by a body parser?'
        : `This is of type ${tag.slice(8, -1)}.`
  }
}

/**
 * Joins chunks in memory of its own, because a host may soon write others where a chunk lies. A list of copies would take
 * a hundred times the limit with chunks of one byte. Never allocates more than twice what arrived, whatever length the
 * sender declared.
 */
export class GrowingBytes {
  readonly #allocate: (length: number) => Uint8Array
  #bytes: Uint8Array = new Uint8Array(0)
  #length = 0

  /** @param allocate the runtime's own function, where it has one that does not fill with zeros */
  constructor(allocate = (length: number): Uint8Array => new Uint8Array(length)) {
    this.#allocate = allocate
  }

  get length(): number {
    return this.#length
  }

  append(chunk: Uint8Array): void {
    const length = this.#length + chunk.length
    if (length > this.#bytes.length) {
      const larger = this.#allocate(Math.max(length, this.#bytes.length * 2))
      larger.set(this.all())
      this.#bytes = larger
    }
    this.#bytes.set(chunk, this.#length)
    this.#length = length
  }

  /** The bytes that arrived so far; not a copy. */
  all(): Uint8Array {
    // A body in one piece fills its memory, and needs no second view of it.
    return this.#length === this.#bytes.length ? this.#bytes : this.#bytes.subarray(0, this.#length)
  }
}

// Kept, because making one takes longer than decoding an event; each decoding starts over. Not made before the first
// body, because Jest's jsdom has no TextDecoder, and tests there may load a module that they never call.
let decoder: InstanceType<typeof TextDecoder> | undefined

/**
 * The JSON text of a body (RFC 8259, 8.1). Bytes that are not UTF-8 are refused and not replaced, or else two bodies could
 * read alike. A byte order mark is passed over.
 */
export function decodeJson(bytes: Uint8Array): string {
  decoder ??= new TextDecoder('utf-8', { fatal: true })
  try {
    return decoder.decode(bytes)
  } catch {
    throw notJson('it is not valid UTF-8')
  }
}

/** The value of a body. The errors of `JSON.parse` quote the text, so they are not passed on. */
export function parseJson(bytes: Uint8Array): unknown {
  const text = decodeJson(bytes)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw notJson('JSON.parse refuses it')
  }
  if (hasManyBrackets(text) && isContainer(value) && isDeeperThan(MAX_DEPTH, value)) throw tooDeep()
  return value
}

/** Whether a text has enough opening brackets, in strings too, to be nested too deep. To walk a value takes twice as long. */
function hasManyBrackets(text: string): boolean {
  let count = 0
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      if (++count > MAX_DEPTH) return true
    }
  }
  return false
}

function isDeeperThan(levels: number, container: object): boolean {
  if (levels === 0) return true
  if (Array.isArray(container)) {
    for (const item of container) if (isContainer(item) && isDeeperThan(levels - 1, item)) return true
    return false
  }
  // Not Object.values: the list it makes costs more than the walk.
  for (const key in container) {
    const field: unknown = container[key as keyof typeof container]
    if (isContainer(field) && isDeeperThan(levels - 1, field)) return true
  }
  return false
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
