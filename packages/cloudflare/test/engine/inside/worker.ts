// Runs in workerd: the cases of replay stores over real bindings, and Durable Objects that a test can look into.
import {
  d1Inbox,
  durableObjectReplayStore,
  ReplayObject,
  type Database,
  type Namespace,
  type ObjectStorage,
  type Statement,
} from '@service-signature/cloudflare'
import {
  replayStoreCases,
  type ReplayStoreTimes,
  type ReplayStoreUnderTest,
} from '../../../../core/src/testing/replay-store.js'

interface TestStorage extends ObjectStorage {
  readonly list: () => Promise<Map<string, unknown>>
  readonly getAlarm: () => Promise<number | null>
}

interface D1Statement extends Statement<D1Statement> {
  readonly all: Statement<D1Statement>['all']
}

interface Env {
  readonly DB: Database<D1Statement>
  readonly OBJECTS: Namespace
  readonly OLD_OBJECTS: Namespace
}

/** Its time can be advanced. */
export class TestObject extends ReplayObject {
  readonly #storage: TestStorage

  constructor(state: { readonly storage: TestStorage }) {
    super(state)
    this.#storage = state.storage
  }

  override async fetch(request: { readonly url: string }): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/advance') {
      const entry = await this.#storage.get<{ until: number }>('entry')
      const until = Number(entry?.until) - Number(searchParams.get('seconds')) * 1000
      if (entry !== undefined) await this.#storage.put('entry', { ...entry, until })
      return new Response()
    }
    if (pathname === '/alarm') {
      await this.#storage.setAlarm(Date.now())
      return new Response()
    }
    if (pathname === '/look') {
      const entries = await this.#storage.list()
      const alarm = await this.#storage.getAlarm()
      return Response.json({ entry: entries.get('entry') ?? null, count: entries.size, alarm })
    }
    return super.fetch(request)
  }
}

export class OldTestObject extends TestObject {}

/** Answers, but not as a ReplayObject does. */
export class OtherObject {
  fetch(): Response {
    return new Response('Hello')
  }
}

let count = 0

async function openD1(db: Env['DB'], times: ReplayStoreTimes): Promise<ReplayStoreUnderTest> {
  const table = `cases_${++count}`
  const open = () => d1Inbox(db, { table, ...times })
  await open().migrate()
  const advance = (seconds: number) =>
    db
      .prepare(
        `UPDATE ${table} SET handled_at = handled_at - ${seconds}, claimed_until = claimed_until - ${seconds}`,
      )
      .all()
  return { store: open(), other: open(), advance }
}

function openObjects(namespace: Namespace, times: ReplayStoreTimes): ReplayStoreUnderTest {
  const prefix = `${++count}:`
  const ids = new Map<string, unknown>()
  const open = () =>
    durableObjectReplayStore(
      {
        idFromName(key) {
          const id = namespace.idFromName(prefix + key)
          ids.set(key, id)
          return id
        },
        get: (id) => namespace.get(id),
      },
      times,
    )
  const advance = async (seconds: number) => {
    for (const id of ids.values()) await namespace.get(id).fetch(`https://test/advance?seconds=${seconds}`)
  }
  return { store: open(), other: open(), advance }
}

export default {
  /** Runs one case: `/objects/3`. */
  async fetch(request: { readonly url: string }, env: Env): Promise<Response> {
    const [, kind, index] = new URL(request.url).pathname.split('/')
    const cases = replayStoreCases((times) => {
      if (kind === 'd1') return openD1(env.DB, times)
      return openObjects(kind === 'objects' ? env.OBJECTS : env.OLD_OBJECTS, times)
    })
    try {
      await cases[Number(index)]!.run()
      return new Response('passed')
    } catch (error) {
      return new Response((error as Error).stack, { status: 500 })
    }
  },
}
