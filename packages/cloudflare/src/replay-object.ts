import type { ObjectStorage } from './driver.js'

/** The state of the key, until a time in milliseconds. */
interface Entry {
  /** The token of a claim. Without it, the delivery was handled. */
  readonly token?: string
  readonly until: number
}

const ENTRY = 'entry'

/**
 * A Durable Object with the state of one delivery, for {@link durableObjectReplayStore}. Export it from the Worker. While the
 * object reads its storage, no other request or alarm reaches it, so each step is atomic. Its alarm deletes the state.
 */
export class ReplayObject {
  /** The mark of a Durable Object in the types that Wrangler generates; it has no value. */
  declare readonly __DURABLE_OBJECT_BRAND: never
  readonly #storage: ObjectStorage

  constructor(state: { readonly storage: ObjectStorage }) {
    this.#storage = state.storage
  }

  async fetch({ url }: { readonly url: string }): Promise<Response> {
    const { pathname, searchParams } = new URL(url)
    const token = searchParams.get('token') ?? ''
    const until = Date.now() + Number(searchParams.get('seconds')) * 1000
    const entry = await this.#current()
    switch (pathname) {
      case '/claim':
        if (entry !== undefined && entry.token !== token) {
          return new Response(entry.token === undefined ? 'done' : 'in-progress')
        }
        await this.#put({ token, until })
        return new Response('new')
      case '/commit':
        // The lease may have run out: the delivery was handled anyway.
        if (entry === undefined || entry.token === token) await this.#put({ until })
        return new Response('ended')
      case '/release':
        // An object without storage and alarm no longer exists.
        if (entry?.token === token)
          await Promise.all([this.#storage.deleteAlarm(), this.#storage.deleteAll()])
        return new Response('ended')
      default:
        return new Response(null, { status: 404 })
    }
  }

  /** Called when the state has lapsed. */
  async alarm(): Promise<void> {
    const entry = await this.#storage.get<Entry>(ENTRY)
    if (entry === undefined) return
    // The alarm of a claim that was being delivered when a commit set another one.
    if (entry.until > Date.now()) await this.#storage.setAlarm(entry.until)
    else await this.#storage.deleteAll()
  }

  async #current(): Promise<Entry | undefined> {
    const entry = await this.#storage.get<Entry>(ENTRY)
    // The alarm may be late.
    return entry !== undefined && entry.until > Date.now() ? entry : undefined
  }

  async #put(entry: Entry): Promise<void> {
    // Begun together, both are written or neither is.
    await Promise.all([this.#storage.put(ENTRY, entry), this.#storage.setAlarm(Math.ceil(entry.until))])
  }
}
