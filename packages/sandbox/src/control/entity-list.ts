import Type, { type TSchema } from 'typebox'
import { page, success, type PageRequest } from '../http/envelope.js'
import { byId, longPageQuery, operation, type App } from '../http/operation.js'
import type { Scope } from '../model/entities.js'
import { unknown } from '../model/refusal.js'
import type { State } from '../model/state.js'
import { oneOf } from '../schema.js'
import type { Service } from '../service.js'
import { textPattern } from './text-search.js'

/** One kind of thing, with a list and a page for each of its items. */
export interface Kind<Item> {
  readonly name: string
  /** What it is called if an id does not exist. */
  readonly title: string
  readonly item: TSchema
  readonly detail: TSchema
  /** The values of the filter `status`, if it has one. */
  readonly statuses?: readonly string[]
  readonly newestFirst: (state: State) => Iterable<Item>
  readonly find: (state: State, id: string) => Item | undefined
  readonly scopeOf: (item: Item) => Scope
  readonly statusOf?: (item: Item) => string
  /** What a search looks at. */
  readonly textsOf: (item: Item) => readonly (string | undefined)[]
  readonly viewer: (service: Service, url: string) => (item: Item) => unknown
  readonly viewDetail: (service: Service, url: string, item: Item) => unknown
}

/** In a query every value is text. */
interface EntityQuery extends PageRequest {
  readonly search?: string
  readonly is_live?: 'true' | 'false'
  readonly status?: string
}

function querySchema(statuses: readonly string[] | undefined) {
  return Type.Unsafe<EntityQuery>(
    Type.Object({
      ...longPageQuery.properties,
      search: Type.Optional(
        Type.String({ description: 'A text in its ids and fields; the case does not matter' }),
      ),
      is_live: Type.Optional(oneOf(['true', 'false'])),
      ...(statuses && { status: Type.Optional(oneOf(statuses)) }),
    }),
  )
}

export function addKind<Item>(app: App, service: Service, kind: Kind<Item>): void {
  const { name, title, item, detail, statuses } = kind
  const path = `/newest/${name}/`
  const plural = name.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())
  app.get(
    path,
    {
      schema: operation({
        id: `listNewest${plural}`,
        summary: `The ${name.replaceAll('-', ' ')} of every account, newest first`,
        isOwn: true,
        query: querySchema(statuses),
        data: item,
        isList: true,
      }),
    },
    ({ query, origin, publicOrigin }) => {
      const found = matching(kind, service.state, query)
      return page(found, kind.viewer(service, publicOrigin), `${origin}/_sandbox${path}`, query)
    },
  )

  app.get(
    `/${name}/:id/`,
    {
      schema: operation({
        id: `get${plural.slice(0, -1)}Details`,
        summary: `${title}, and what happened to it, in order`,
        isOwn: true,
        params: byId,
        data: detail,
      }),
    },
    ({ params, publicOrigin }) => {
      const found = kind.find(service.state, params.id)
      if (found === undefined) throw unknown('id', `${title} not found`)
      return success(kind.viewDetail(service, publicOrigin, found))
    },
  )
}

function* matching<Item>(
  { newestFirst, scopeOf, statusOf, textsOf }: Kind<Item>,
  state: State,
  { search = '', is_live, status }: EntityQuery,
): Generator<Item, void> {
  const pattern = textPattern(search)
  const isLive = is_live === undefined ? undefined : is_live === 'true'
  for (const item of newestFirst(state)) {
    if (isLive !== undefined && scopeOf(item).isLive !== isLive) continue
    if (status !== undefined && statusOf !== undefined && statusOf(item) !== status) continue
    if (search !== '' && !textsOf(item).some((text) => text !== undefined && pattern.test(text))) continue
    yield item
  }
}
