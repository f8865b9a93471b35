/** A request that was refused or got no answer; the message is a sentence for people. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** Missing if there was no answer. */
  readonly status: number | undefined
  /** What is wrong with each field that was sent. */
  readonly fields: Readonly<Record<string, string>>

  constructor(message: string, status?: number, fields = {}) {
    super(message)
    this.status = status
    this.fields = fields
  }
}

interface Envelope<Data> {
  readonly status: {
    readonly message: string
    readonly errors: readonly Readonly<Record<string, string>>[]
  }
  readonly data: Data
  readonly count: number
}

/** A part of a list. */
export interface ListPage<Item> {
  readonly path: string
  readonly items: readonly Item[]
  /** How many items there are in the whole list. */
  readonly count: number
}

export async function get<Data>(path: string, signal?: AbortSignal): Promise<Data> {
  return (await call<Data>(path, { ...(signal && { signal }) })).data
}

export async function getPage<Item>(path: string, signal?: AbortSignal): Promise<ListPage<Item>> {
  const { data: items, count } = await call<readonly Item[]>(path, { ...(signal && { signal }) })
  return { path, items, count }
}

/** @param key an API key, for the operations of merchants */
export async function post<Data>(path: string, body?: unknown, key?: string): Promise<Data> {
  return (await call<Data>(path, { method: 'POST', ...sent(body, key) })).data
}

export async function put(path: string, body: unknown): Promise<void> {
  await call(path, { method: 'PUT', ...sent(body) })
}

function sent(body: unknown, key?: string): RequestInit {
  const ofMerchant = key !== undefined && { 'X-Api-Key': key }
  if (body === undefined) return { headers: { ...ofMerchant } }
  return { headers: { ...ofMerchant, 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
}

async function call<Data>(path: string, init: RequestInit): Promise<Envelope<Data>> {
  return (await (await accepted(path, init)).json()) as Envelope<Data>
}

/** Posts, and calls back for each line of JSON of the answer, when it arrives. */
export async function postForLines(
  path: string,
  body: unknown,
  signal: AbortSignal,
  onLine: (line: unknown) => void,
): Promise<void> {
  const response = await accepted(path, { method: 'POST', ...sent(body), signal })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { done, value = '' } = await reader.read()
    if (done) return
    const lines = (text + value).split('\n')
    text = lines.pop()!
    for (const line of lines) onLine(JSON.parse(line))
  }
}

/** @throws {ApiError} on every answer that is not a success, and if there is no answer */
async function accepted(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(path, init).catch((error: unknown) => {
    if (init.signal?.aborted === true) throw error
    throw new ApiError('The sandbox does not answer. Is it still running?')
  })
  if (response.ok) return response
  // The sandbox was restarted with another token. The page that is loaded now says how to get in.
  if (response.status === 401 && path.startsWith('/_sandbox/')) location.reload()
  const { status } = (await response.json()) as Envelope<unknown>
  throw new ApiError(
    sentenceOf(status),
    response.status,
    Object.fromEntries(status.errors.flatMap((error) => Object.entries(error))),
  )
}

function sentenceOf({ message, errors }: Envelope<unknown>['status']): string {
  const problems = errors.flatMap((error) => Object.entries(error).map((pair) => pair.join(' ')))
  return problems.length === 0 ? `${message}.` : `${message}: ${problems.join(', ')}.`
}

/** The message of any error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
