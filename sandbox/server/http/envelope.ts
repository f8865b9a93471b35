import Type from 'typebox'
import { exactly } from './schema.js'

/** The envelope of every answer. */
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

/** A field, and what is wrong with it. */
export type FieldError = Readonly<Record<string, string>>

export const successStatus = exactly(
  {
    code: Type.Integer({ enum: [200] }),
    message: Type.String(),
    errors: Type.Array(Type.Never(), { maxItems: 0 }),
  },
  { $id: 'Success' },
)

export const refusalEnvelope = exactly(
  {
    status: exactly({
      code: Type.Integer({ minimum: 400 }),
      message: Type.String(),
      errors: Type.Array(Type.Record(Type.String(), Type.String(), { minProperties: 1, maxProperties: 1 }), {
        description: 'The field that is wrong, and what is wrong with it',
      }),
    }),
    data: Type.Null(),
    count: Type.Integer({ enum: [0] }),
    next: Type.Null(),
    previous: Type.Null(),
  },
  { $id: 'Refusal' },
)

export function success<Data>(data: Data): Envelope<Data> {
  return { status: { code: 200, message: 'OK', errors: [] }, data, count: 1, next: null, previous: null }
}

/** A list as a whole. */
export function listOf<Item>(items: readonly Item[]): Envelope<readonly Item[]> {
  return { ...success(items), count: items.length }
}

/** The message of each status. */
const MESSAGES: ReadonlyMap<number, string> = new Map([
  [400, 'The request is not valid'],
  [401, 'The API key is not accepted'],
  [403, 'This is not allowed'],
  [404, 'There is nothing like this; every path under /api/ and /direct/ ends with a slash'],
  [405, 'This method is not allowed here'],
  [409, 'This cannot be done any more'],
  [413, 'The body is larger than 1 MiB'],
  [415, 'The body must be sent as application/json'],
  [500, 'Something went wrong in the service'],
])

export function refusal(
  code: number,
  errors: readonly FieldError[] = [],
  message: string = MESSAGES.get(code)!,
): Envelope<null> {
  return { status: { code, message, errors }, data: null, count: 0, next: null, previous: null }
}

/** The part of a list that a request asks for. */
export interface PageQuery {
  readonly limit?: string
  readonly offset?: string
}

interface PageRequest {
  /** How the caller reaches the sandbox. */
  readonly origin: string
  readonly url: string
  readonly query: PageQuery
}

/** One page of a list. Its links keep the other parameters of the request. */
export function page<Item, View>(
  { origin, url, query }: PageRequest,
  items: readonly Item[],
  view: (item: Item) => View,
): Envelope<readonly View[]> {
  const { limit = '50', offset = '0', ...filters } = query
  const size = Number(limit)
  const start = Number(offset)
  const [path] = url.split('?')
  const link = (from: number) => {
    const parameters = new URLSearchParams({ ...filters, limit: String(size), offset: String(from) })
    return `${origin}${path!}?${parameters.toString()}`
  }
  const count = items.length
  return {
    ...success(items.slice(start, start + size).map(view)),
    count,
    next: start + size < count ? link(start + size) : null,
    previous: start > 0 ? link(Math.max(0, start - size)) : null,
  }
}
