import Type, { type TProperties, type TSchema } from 'typebox'
import { page, success, type PageRequest } from '../../http/envelope.js'
import { byId, longPageQuery, operation, type App } from '../../http/operation.js'
import { unknown } from '../../model/refusal.js'
import { oneOf } from '../../schema.js'
import type { Service } from '../../service.js'
import type { Scope, Shelf, TextRef } from '../../store/records.js'

/** In a query every value is text. */
export type KindQuery = PageRequest & Readonly<Partial<Record<string, string>>>

interface Operation {
  readonly id: string
  readonly path: string
  readonly summary: string
  /** Of an item of the list, or of the detail. */
  readonly schema: TSchema
}

interface Identified {
  readonly id: string
}

export interface Filter<Item> {
  readonly schema: TSchema
  readonly test: (wanted: string) => (item: Item) => boolean
}

/** A text of an item, or where it is in a file. */
type SearchedText = string | null | undefined | readonly [Shelf, TextRef | null | undefined]

/** One kind of thing, with a list and a page for each of its items. */
export interface Kind<Item extends Identified> {
  /** What it is called if an id does not exist. */
  readonly title: string
  readonly list: Operation
  readonly detail: Operation
  readonly newestFirst: (service: Service) => readonly Item[]
  readonly find: (service: Service, id: string) => Item | undefined
  /** Those of the list, besides the search. */
  readonly filters: Readonly<Record<string, Filter<Item>>>
  /** Another order, if the query asks for one. */
  readonly arrange?: (query: KindQuery, found: readonly Item[]) => readonly Item[]
  /** In which texts a search looks, for people. */
  readonly searched: string
  readonly textsOf: (item: Item) => readonly SearchedText[]
  readonly viewer: (service: Service, url: string) => (item: Item) => unknown
  readonly viewDetail: (service: Service, url: string, item: Item) => unknown
}

/** A filter by one of some values. */
export function oneOfFilter<Item>(values: readonly string[], valueOf: (item: Item) => string): Filter<Item> {
  return { schema: oneOf(values), test: (wanted) => (item) => valueOf(item) === wanted }
}

/** A filter by the mode of an item. */
export const liveFilter = oneOfFilter<{ readonly scope: Scope }>(['true', 'false'], ({ scope }) =>
  String(scope.isLive),
)

export function addKind<Item extends Identified>(app: App, service: Service, kind: Kind<Item>): void {
  const { title, list, detail } = kind
  app.get(
    list.path,
    {
      schema: operation({
        id: list.id,
        summary: list.summary,
        isOwn: true,
        query: Type.Unsafe<KindQuery>(
          Type.Object({
            ...longPageQuery.properties,
            ...parametersOf(kind),
          }),
        ),
        data: list.schema,
        isList: true,
        refusals: [404],
      }),
    },
    ({ query, origin, publicOrigin }) =>
      page(
        matching(service, kind, query),
        kind.viewer(service, publicOrigin),
        `${origin}/_sandbox${list.path}`,
        query,
      ),
  )

  app.get(
    detail.path,
    {
      schema: operation({
        id: detail.id,
        summary: detail.summary,
        isOwn: true,
        params: byId,
        data: detail.schema,
      }),
    },
    ({ params, publicOrigin }) => {
      const found = kind.find(service, params.id)
      if (found === undefined) throw unknown('id', `${title} not found`)
      return success(kind.viewDetail(service, publicOrigin, found))
    },
  )
}

/** What the list of a kind can be asked for, besides a page of it. */
export function parametersOf<Item extends Identified>({ filters, searched }: Kind<Item>): TProperties {
  const schemas = Object.entries(filters).map(([name, { schema }]) => [name, Type.Optional(schema)] as const)
  return {
    ...Object.fromEntries<TSchema>(schemas),
    search: Type.Optional(Type.String({ description: `A text in ${searched}; the case does not matter` })),
    until: Type.Optional(
      Type.String({ description: 'An id: only the item with this one and older ones are listed' }),
    ),
  }
}

/**
 * The items that a query asks for, newest first unless it asks for another order.
 *
 * @throws {Refusal} if the item of `until` does not exist
 */
export function matching<Item extends Identified>(
  service: Service,
  kind: Kind<Item>,
  query: KindQuery,
): readonly Item[] {
  const found = search(service, kind, query)
  return kind.arrange?.(query, found) ?? found
}

function search<Item extends Identified>(
  service: Service,
  { title, newestFirst, filters, textsOf }: Kind<Item>,
  query: KindQuery,
): readonly Item[] {
  const { search = '', until } = query
  const items = newestFirst(service)
  const start = until === undefined ? 0 : items.findIndex(({ id }) => id === until)
  if (start < 0) throw unknown('until', `${title} not found`)
  let found = items.slice(start)
  for (const [name, { test }] of Object.entries(filters)) {
    const wanted = query[name]
    if (wanted !== undefined) found = found.filter(test(wanted))
  }
  if (search === '') return found
  const pattern = textPattern(search)
  const matches = (text: SearchedText) => {
    if (typeof text === 'string') return pattern.test(text)
    const ref = text?.[1]
    return ref ? service.store.matchesText(text[0], ref, pattern) : false
  }
  return found.filter((item) => textsOf(item).some(matches))
}

/** Finds a text in whatever case. In 50,000 bodies it is faster than a change of their case. */
function textPattern(search: string): RegExp {
  const escaped = search.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return new RegExp(escaped.replace(/[^\0-\x7f]/g, inBodies), 'i')
}

/** A letter beyond ASCII, or its escape in a body of Python's style. */
function inBodies(letter: string): string {
  const escapes = [letter.toLowerCase(), letter.toUpperCase()].map((cased) =>
    cased.replace(/[^]/g, (unit) => `\\\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )
  return `(?:${[letter, ...escapes].join('|')})`
}
