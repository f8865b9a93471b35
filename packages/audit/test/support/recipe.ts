import { createHmac } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { apiKey, secret } from './truth.js'

/** An endpoint in steps, each of which can be replaced by a worse one. It uses no code of this project. */
export interface Recipe {
  readonly admits: (req: IncomingMessage) => boolean
  /** The elements of the header, or nothing if it is malformed. */
  readonly parse: (header: string) => Elements | undefined
  readonly isFresh: (t: string, now: number) => boolean
  readonly read: (req: IncomingMessage) => Promise<Buffer>
  readonly vouches: (elements: Elements, body: Buffer) => boolean
  readonly handle: (body: Buffer, res: ServerResponse) => void
  readonly refuse: (refusal: Refusal, res: ServerResponse) => void
}

export type Elements = Readonly<Record<string, string>>

/** The reason why the endpoint refuses. */
export class Refusal extends Error {
  readonly status: number
  /** The digest that would be right. */
  readonly digest: string

  constructor(status: number, why: string, digest = '') {
    super(why)
    this.status = status
    this.digest = digest
  }
}

export const LIMIT = 1024 * 1024

/** The correct recipe. */
export const SOUND: Recipe = {
  admits: ({ method }) => method === 'POST',
  parse(header) {
    const elements: Record<string, string> = {}
    for (const element of header.split(',')) {
      const [, name, value] = /^([a-z]\w*)=(\w*)$/.exec(element) ?? []
      if (name === undefined || Object.hasOwn(elements, name)) return undefined
      elements[name] = value!
    }
    return elements
  },
  isFresh: (t, now) => /^\d+$/.test(t) && now - Number(t) <= 300 && Number(t) - now <= 60,
  async read(req) {
    if (Number(req.headers['content-length']) > LIMIT) throw new Refusal(413, 'too large')
    return readUpTo(LIMIT, req)
  },
  vouches: ({ t, v3 }, body) => v3 === v3Of(body, t!),
  handle(body, res) {
    if (!isJson(body.toString().replace(/^\ufeff/, ''))) throw new Refusal(400, 'no JSON')
    res.writeHead(204).end()
  },
  refuse({ status }, res) {
    // The rest of the body is not read.
    res.writeHead(status, { Connection: 'close' }).end('refused')
  },
}

/** The recipe with some of its steps replaced. */
export function endpointOf(changes: Partial<Recipe>): RequestListener {
  const recipe = { ...SOUND, ...changes }
  return (req, res) => {
    serve(recipe, req, res).catch((error: unknown) => {
      if (error instanceof Refusal) recipe.refuse(error, res)
      else res.writeHead(500).end()
    })
  }
}

async function serve(recipe: Recipe, req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (!recipe.admits(req)) throw new Refusal(405, 'wrong method')
  const header = req.headers['service-signature']
  if (header === undefined) throw new Refusal(401, 'no signature')
  const elements = recipe.parse(String(header))
  if (elements?.['t'] === undefined) throw new Refusal(401, 'malformed signature')
  if (!recipe.isFresh(elements['t'], Date.now() / 1000)) throw new Refusal(401, 'stale signature')
  const body = await recipe.read(req)
  if (!recipe.vouches(elements, body)) {
    throw new Refusal(401, 'forged signature', v3Of(body, elements['t']))
  }
  recipe.handle(body, res)
}

/** Reads at most this number of bytes. */
export async function readUpTo(limit: number, req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of req as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > limit) throw new Refusal(413, 'too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** See specification, Signature v1. */
export function v3Of(body: string | Buffer, t: string, key: string | Buffer = secret): string {
  return hmac(key, Buffer.from(body as string).toString('base64') + t)
}

/** See specification, Signature v3. */
export function v1Of(body: Buffer, t: string, key = apiKey): string {
  return hmac(key, body.toString().replace(/[ \r\n]/g, '') + t)
}

/** See specification, Signature v2. For a body that JSON.stringify prints as the sender does. */
export function v2Of(body: Buffer, t: string, key = secret): string {
  return hmac(key, sorted(JSON.parse(body.toString())).replace(/[ \r\n]/g, '') + t)
}

function sorted(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(sorted).join()}]`
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${sorted(field)}`).join()}}`
}

function hmac(key: string | Buffer, message: string): string {
  return createHmac('sha256', key).update(message).digest('hex')
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
