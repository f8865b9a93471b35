/** A request that was refused or got no answer; the message is a sentence for people. */
export class ApiError extends Error {
  /** Missing if there was no answer. */
  readonly status: number | undefined

  constructor(message: string, status?: number) {
    super(message)
    this.name = 'ApiError'
    this.status = status
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

export interface ListPage<Item> {
  readonly items: readonly Item[]
  /** How many there are in the whole list. */
  readonly count: number
}

export interface CallOptions {
  readonly body?: unknown
  /** An API key, for the operations of merchants. */
  readonly key?: string
  readonly signal?: AbortSignal
}

export async function get<Data>(path: string, signal?: AbortSignal): Promise<Data> {
  return (await call<Data>('GET', path, signal && { signal })).data
}

export async function getPage<Item>(path: string, signal?: AbortSignal): Promise<ListPage<Item>> {
  const { data, count } = await call<readonly Item[]>('GET', path, signal && { signal })
  return { items: data, count }
}

export async function post<Data>(path: string, body?: unknown, key?: string): Promise<Data> {
  return (await call<Data>('POST', path, { body, ...(key !== undefined && { key }) })).data
}

export async function put<Data>(path: string, body: unknown): Promise<Data> {
  return (await call<Data>('PUT', path, { body })).data
}

/** @throws {ApiError} on every answer that is not a success, and if there is no answer */
async function call<Data>(
  method: string,
  path: string,
  { body, key, signal }: CallOptions = {},
): Promise<Envelope<Data>> {
  const headers = {
    Accept: 'application/json',
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...(key !== undefined && { 'X-Api-Key': key }),
  }
  const response = await answerOf(path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  })
  const envelope = (await response.json()) as Envelope<Data>
  if (!response.ok) throw new ApiError(sentenceOf(envelope.status), response.status)
  return envelope
}

async function answerOf(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init)
  } catch (error) {
    if (init.signal?.aborted === true) throw error
    throw new ApiError('The sandbox does not answer. Is it still running?')
  }
}

function sentenceOf({ message, errors }: Envelope<unknown>['status']): string {
  const problems = errors.flatMap((error) => Object.entries(error).map((pair) => pair.join(' ')))
  return problems.length === 0 ? `${message}.` : `${message}: ${problems.join(', ')}.`
}

/** The message of any error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
