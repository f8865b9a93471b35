import Type, { type TProperties, type TSchema } from 'typebox'
import { page, success, type PageQuery } from '../http/envelope.js'
import { byId, longPageQuery, Operations, type App } from '../http/operation.js'
import { unknown } from '../http/refusal.js'
import { oneOf, optionalText } from '../http/schema.js'
import type { Service } from './sending.js'
import type { Scope } from '../accounts/records.js'
import type { Identified, Kind as RecordKind } from '../store/table.js'

/** In a query every value is text. */
export type KindQuery = PageQuery & Readonly<Partial<Record<string, string>>>

interface KindOperation {
  readonly id: string
  readonly path: string
  readonly summary: string
  /** Of an item of the list, or of the detail. */
  readonly data: TSchema
}

export interface Filter<Item> {
  readonly schema: TSchema
  readonly test: (wanted: string) => (item: Item) => boolean
}

/** One kind of thing, with a list and a page for each of its items. */
export interface Kind<Item extends Identified> {
  /** What it is called if an id does not exist. */
  readonly title: string
  readonly list: KindOperation
  readonly detail: KindOperation
  readonly newestFirst: (service: Service) => readonly Item[]
  readonly find: (service: Service, id: string) => Item | undefined
  /** Those of the list, besides the search. */
  readonly filters: Readonly<Record<string, Filter<Item>>>
  /** Another order, if the query asks for one. */
  readonly arrange?: (query: KindQuery, found: readonly Item[]) => readonly Item[]
  /** In which texts a search looks, for people. */
  readonly searched: string
  readonly textsOf: (item: Item) => readonly (string | null | undefined)[]
  readonly viewer: (service: Service, url: string) => (item: Item) => unknown
  readonly viewDetail: (service: Service, url: string, item: Item) => unknown
}

/** The operations of a kind, as most are named. The schemas are those of an item of the list, and of its page. */
export function namedOperations(title: string, item: TSchema, detail: TSchema, plural = `${title}s`) {
  const [name, names] = [title, plural].map((words) =>
    words.replace(/ (.)/g, (_match, letter: string) => letter.toUpperCase()),
  ) as [string, string]
  const path = plural.toLowerCase().replaceAll(' ', '-')
  return {
    title,
    list: {
      id: `listNewest${names}`,
      path: `/newest/${path}/`,
      summary: `The ${plural.toLowerCase()} of every account, newest first`,
      data: item,
    },
    detail: {
      id: `get${name}Details`,
      path: `/${path}/:id/`,
      summary: `${title} in full`,
      data: detail,
    },
  }
}

/** The items of a kind that are records of the store. */
export function recordsOf<Of extends Identified>(
  kind: RecordKind<Of>,
): Pick<Kind<Of>, 'newestFirst' | 'find'> {
  return {
    newestFirst: ({ store }) => store.newestFirst(kind),
    find: ({ store }, id) => store.get(kind, id),
  }
}

/** A filter by one value of an item. */
export function equalFilter<Item>(
  schema: TSchema,
  valueOf: (item: Item) => string | undefined,
): Filter<Item> {
  return { schema, test: (wanted) => (item) => valueOf(item) === wanted }
}

/** A filter by one of some values. */
export function oneOfFilter<Item>(values: readonly string[], valueOf: (item: Item) => string): Filter<Item> {
  return equalFilter(oneOf(values), valueOf)
}

/** A filter by the mode of an item. */
export const liveFilter = oneOfFilter<{ readonly scope: Scope }>(['true', 'false'], ({ scope }) =>
  String(scope.isLive),
)

export function addKind<Item extends Identified>(app: App, service: Service, kind: Kind<Item>): void {
  const operations = new Operations(app)
  const { title, list, detail, filters, searched } = kind
  const parameters: TProperties = {
    ...longPageQuery.properties,
    ...Object.fromEntries(
      Object.entries(filters).map(([name, { schema }]) => [name, Type.Optional(schema)] as const),
    ),
    search: optionalText(`A text in ${searched}; the case does not matter`),
  }

  operations.add(
    `GET ${list.path}`,
    {
      id: list.id,
      summary: list.summary,
      query: Type.Unsafe<KindQuery>(Type.Object(parameters)),
      items: list.data,
    },
    (request) => {
      const { query, publicOrigin } = request
      const found = kind.newestFirst(service).filter(testOf(kind, query))
      return page(request, kind.arrange?.(query, found) ?? found, kind.viewer(service, publicOrigin))
    },
  )

  operations.add(`GET ${detail.path}`, { ...detail, params: byId }, ({ params, publicOrigin }) => {
    const found = kind.find(service, params.id)
    if (found === undefined) throw unknown('id', `${title} not found`)
    return success(kind.viewDetail(service, publicOrigin, found))
  })
}

/** Whether an item is one that a query asks for. */
function testOf<Item extends Identified>(
  { filters, textsOf }: Kind<Item>,
  query: KindQuery,
): (item: Item) => boolean {
  const tests = Object.entries(filters).flatMap(([name, { test }]) => {
    const wanted = query[name]
    return wanted === undefined ? [] : test(wanted)
  })
  const { search = '' } = query
  if (search !== '') {
    // In 10,000 bodies it is faster than a change of their case.
    const pattern = new RegExp(search.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'i')
    tests.push((item) => textsOf(item).some((text) => text && pattern.test(text)))
  }
  return (item) => tests.every((test) => test(item))
}

/** The items by a name, in the order of the first item of each name. */
export function groupBy<Item>(
  items: Iterable<Item>,
  nameOf: (item: Item) => string,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const name = nameOf(item)
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [item])
    else group.push(item)
  }
  return groups
}
