import { fieldOf, parsedJson, printable } from '@service-signature/deliveries'
import {
  authorizationFor,
  HOW_TO_PASS_TOKEN,
  RefusedError,
  UnreachableError,
  UsageError,
  type Io,
} from '@service-signature/terminal'

const TIMEOUT_SECONDS = 10
const MAX_MEBIBYTES = 32

/** The paths of deliveries on the page of a sandbox, and in its control API. */
const SANDBOX_PATH = /^(?:\/_sandbox)?\/deliveries\//

const REASONS: ReadonlyMap<string, string> = new Map([
  ['TimeoutError', `there was no whole answer within ${TIMEOUT_SECONDS} s`],
  ['UND_ERR_SOCKET', 'the connection was closed without a whole answer'],
])

export function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}

/** How a message names an address: without its query and a password, which may be a secret. */
export function placeOfAddress(address: string): string {
  const { origin, pathname } = new URL(address)
  return printable(origin + pathname, Infinity)
}

/**
 * The bytes at an address; of a delivery on the page of a sandbox, its JSON.
 *
 * @throws {UsageError | RefusedError | UnreachableError}
 */
export async function fetchDelivery(address: string, io: Io): Promise<Buffer> {
  const url = new URL(address)
  const place = placeOfAddress(address)
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(`${place}: The address has a user name or a password. Leave them out.`)
  }
  const isSandbox = SANDBOX_PATH.test(url.pathname)
  // Another server may need its own "token".
  if (isSandbox) url.searchParams.delete('token')
  // The page of a sandbox shows a delivery at this path, and its control API has it at another.
  url.pathname = url.pathname.replace(/^\/deliveries\/([^/]+)\/?$/, '/_sandbox/deliveries/$1/')
  try {
    const response = await fetch(url, {
      headers: isSandbox ? authorizationFor(address, io) : {},
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_SECONDS * 1000),
    })
    const { status } = response
    if (status !== 200) {
      throw new RefusedError(`${place} answered ${status}.${hintFor(status, isSandbox)}`)
    }
    return await bytesOf(response.body as AsyncIterable<Uint8Array>, place)
  } catch (error) {
    if (error instanceof RefusedError || error instanceof UsageError) throw error
    const { name, cause } = error as Error & { readonly cause?: NodeJS.ErrnoException }
    const reason = cause?.code ?? name
    throw new UnreachableError(`Cannot reach ${place}: ${REASONS.get(reason) ?? reason}.`)
  }
}

function hintFor(status: number, isSandbox: boolean): string {
  if (status >= 300 && status < 400) return ' No redirect is followed.'
  return status === 401 && isSandbox ? ` ${HOW_TO_PASS_TOKEN}` : ''
}

/** The signing secret of the sandbox that has the delivery at an address; undefined without one, or without its answer. */
export async function sandboxSecret(address: string, io: Io): Promise<string | undefined> {
  const { origin, pathname } = new URL(address)
  if (!SANDBOX_PATH.test(pathname)) return undefined
  try {
    const place = `${origin}/_sandbox/keys/reveal/`
    const response = await fetch(place, {
      method: 'POST',
      headers: authorizationFor(address, io),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_SECONDS * 1000),
    })
    const bytes = await bytesOf(response.body as AsyncIterable<Uint8Array>, place)
    const secret = fieldOf(fieldOf(parsedJson(bytes.toString()), 'data'), 'webhook_signature_secret')
    return typeof secret === 'string' && secret !== '' ? secret : undefined
  } catch {
    return undefined
  }
}

async function bytesOf(body: AsyncIterable<Uint8Array>, place: string): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.length
    if (length > MAX_MEBIBYTES * 1024 * 1024) {
      throw new UsageError(`The answer of ${place} is larger than ${MAX_MEBIBYTES} MiB.`)
    }
  }
  return Buffer.concat(chunks)
}
