/** What every answer is wrapped in (S4.2, S7). */
export interface Envelope<Data = unknown> {
  readonly status: {
    readonly code: number
    readonly message: string
    readonly errors: readonly FieldError[]
  }
  readonly data: Data
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
}

/** The field that is wrong, and what is wrong with it. */
export type FieldError = Readonly<Record<string, string>>

export function success<Data>(data: Data): Envelope<Data> {
  return { status: { code: 200, message: 'OK', errors: [] }, data, count: 1, next: null, previous: null }
}

/** Every status of a refusal, in words. */
const MESSAGES: ReadonlyMap<number, string> = new Map([
  [400, 'The request is not valid'],
  [401, 'The API key is not accepted'],
  [403, 'This is not allowed'],
  [404, 'There is nothing like this; every path under /api/ and /direct/ ends with a slash'],
  [405, 'This method is not allowed here'],
  [409, 'This cannot be done any more'],
  [413, 'The body is larger than 1 MiB'],
  [415, 'The body must be sent as application/json'],
  [431, 'The headers are too large'],
  [500, 'Something went wrong in the service'],
])

export function refusal(code: number, errors: readonly FieldError[] = []): Envelope<null> {
  return {
    status: { code, message: MESSAGES.get(code)!, errors },
    data: null,
    count: 0,
    next: null,
    previous: null,
  }
}

/** One page of a list, as `limit` and `offset` have it. */
export function page<Item, View>(
  items: readonly Item[],
  view: (item: Item) => View,
  address: string,
  { limit = '50', offset = '0' }: { readonly limit?: string; readonly offset?: string },
): Envelope<readonly View[]> {
  const size = Number(limit)
  const start = Number(offset)
  const link = (from: number) => `${address}?limit=${size}&offset=${from}`
  return {
    ...success(items.slice(start, start + size).map(view)),
    count: items.length,
    next: start + size < items.length ? link(start + size) : null,
    previous: start > 0 ? link(Math.max(0, start - size)) : null,
  }
}
