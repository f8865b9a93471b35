import Type, { type TProperties, type TSchema } from 'typebox'
import { camelCase } from '../accounts/answer.js'
import { page, success, type PageQuery } from '../http/envelope.js'
import { byId, longPageQuery, Operations, type App } from '../http/operation.js'
import { unknown } from '../http/refusal.js'
import { oneOf, optionalText } from '../http/schema.js'
import type { Service } from './sending.js'
import type { Scope } from '../accounts/records.js'
import type { Identified, Kind as RecordKind } from '../store/table.js'

/** In a query every value is text. */
export type KindQuery = PageQuery & Readonly<Partial<Record<string, string>>>

export interface Filter<Item> {
  readonly schema: TSchema
  readonly test: (wanted: string) => (item: Item) => boolean
}

/** One kind of thing, with a list and a page for each of its items. */
export interface Kind<Item extends Identified> {
  /** It names the operations, and what is not found. */
  readonly title: string
  /** Default: the title with an "s". */
  readonly plural?: string
  /** The schemas of an item of the list, and of its page. */
  readonly item: TSchema
  readonly detail: TSchema
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

/** A filter by the mode of an item. */
export const liveFilter = equalFilter<{ readonly scope: Scope }>(oneOf(['true', 'false']), ({ scope }) =>
  String(scope.isLive),
)

/** Adds the list of a kind, and the page of each item. */
export function addKind<Item extends Identified>(app: App, service: Service, kind: Kind<Item>): void {
  const operations = new Operations(app)
  const { title, plural = `${title}s`, item, detail, filters, searched } = kind
  const path = plural.toLowerCase().replaceAll(' ', '-')
  const parameters: TProperties = {
    ...longPageQuery.properties,
    ...Object.fromEntries(
      Object.entries(filters).map(([name, { schema }]) => [name, Type.Optional(schema)] as const),
    ),
    search: optionalText(`A text in ${searched}; the case does not matter`),
  }

  operations.add(
    `GET /newest/${path}/`,
    {
      id: `listNewest${camelCase(plural)}`,
      summary: `The ${plural.toLowerCase()} of every account, newest first`,
      query: Type.Unsafe<KindQuery>(Type.Object(parameters)),
      items: item,
    },
    (request) => {
      const { query, publicOrigin } = request
      const found = kind.newestFirst(service).filter(testOf(kind, query))
      return page(request, kind.arrange?.(query, found) ?? found, kind.viewer(service, publicOrigin))
    },
  )

  operations.add(
    `GET /${path}/:id/`,
    { id: `get${camelCase(title)}Details`, summary: `${title} in full`, params: byId, data: detail },
    ({ params, publicOrigin }) => {
      const found = kind.find(service, params.id)
      if (found === undefined) throw unknown('id', `${title} not found`)
      return success(kind.viewDetail(service, publicOrigin, found))
    },
  )
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
