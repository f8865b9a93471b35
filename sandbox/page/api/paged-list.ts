import { signal } from '@preact/signals'
import { coalesced } from './changes.js'
import { ApiError, getPage, type ListPage } from './client.js'

const PAGE = 100

/** The parameters of a list, such as its filters. Those without a value are left out. */
export type Query = Readonly<Record<string, string | undefined>>

export interface PagedListOptions {
  readonly path: string
  readonly query?: Query
  /** Whether the list takes `until`, which keeps offsets stable while new rows arrive. */
  readonly hasUntil?: boolean
}

type NumberedPages<Item> = readonly (readonly [page: number, ListPage<Item>])[]

/**
 * A long list, newest first, of which pages are loaded when they are looked at. With `until`, what is looked at stays where
 * it is: new rows are counted in `newer`, and `showNewest` puts them in.
 */
export class PagedList<Item extends object> {
  /** Undefined until the first answer. */
  readonly count = signal<number | undefined>(undefined)
  /** How many newer rows there are that are not in the list yet. */
  readonly newer = signal(0)
  readonly problem = signal<Error | undefined>(undefined)
  /** Another number whenever rows have changed. */
  readonly version = signal(0)
  /** Whether new rows are put in at once, because nothing that is looked at would move. */
  follows = true

  readonly idOf: (item: Item) => string
  readonly #options: PagedListOptions
  readonly #pages = new Map<number, readonly Item[]>()
  readonly #loading = new Set<number>()
  #shown = { first: 0, last: PAGE - 1 }
  #until: string | undefined
  #ended = new AbortController()

  /** Looks for changes, soon. */
  readonly refresh = coalesced(() =>
    this.#safely(() => (this.#moves() ? this.#loadNewest() : this.#loadShown())),
  )

  constructor(options: PagedListOptions, idOf: (item: Item) => string) {
    this.#options = options
    this.idOf = idOf
  }

  /** The row at an index, if it is loaded. */
  row(index: number): Item | undefined {
    return this.#pages.get(Math.floor(index / PAGE))?.[index % PAGE]
  }

  /** Every row that is loaded. */
  loaded(): readonly Item[] {
    return [...this.#pages.values()].flat()
  }

  /** Loads the rows from one index to another, unless they are there. The first ones come with `refresh`. */
  show(first: number, last: number): void {
    this.#shown = { first, last }
    if (this.count.value === undefined) return
    for (const page of this.#shownPages()) {
      if (!this.#pages.has(page) && !this.#loading.has(page)) void this.#loadMissing(page)
    }
  }

  /** Puts new rows in, on top. */
  showNewest(): Promise<void> {
    this.#until = undefined
    return this.#safely(() => this.#loadNewest())
  }

  /** Loads everything again, from the top. */
  reload(): void {
    this.#until = undefined
    this.follows = true
    this.refresh()
  }

  end(): void {
    this.#ended.abort()
    this.#ended = new AbortController()
    this.#loading.clear()
  }

  /** The ids of the first rows, loaded or not. */
  async ids(limit: number): Promise<readonly string[]> {
    const ids: string[] = []
    while (ids.length < limit) {
      const { data } = await this.#get(ids.length, Math.min(PAGE, limit - ids.length), this.#until)
      ids.push(...data.map(this.idOf))
      if (data.length < PAGE) break
    }
    return ids
  }

  #shownPages(): readonly number[] {
    const from = Math.floor(this.#shown.first / PAGE)
    const to = Math.floor(this.#shown.last / PAGE)
    return Array.from({ length: to - from + 1 }, (_, index) => from + index)
  }

  /** Whether a refresh may move the rows. */
  #moves(): boolean {
    return this.follows || this.#until === undefined
  }

  async #loadMissing(page: number): Promise<void> {
    this.#loading.add(page)
    await this.#safely(async () => {
      const until = this.#until
      const loaded = await this.#getPages([page])
      if (until === this.#until) this.#take(loaded)
    })
    this.#loading.delete(page)
  }

  /** The first rows, and those that are looked at, as they are now. */
  async #loadNewest(): Promise<void> {
    const head = await this.#get(0, PAGE, undefined)
    // The list was scrolled since, and new rows must no longer move what is looked at.
    if (!this.#moves()) return this.#loadShown()
    const newest = head.data[0]
    const hasUntil = this.#options.hasUntil === true
    this.#until = newest !== undefined && hasUntil ? this.idOf(newest) : undefined
    const others = this.#shownPages().filter((page) => page > 0 && page * PAGE < head.count)
    this.#replace([[0, head], ...(await this.#getPages(others))])
    this.newer.value = 0
  }

  /** The rows that are looked at, where they are, and how many newer ones there are. */
  async #loadShown(): Promise<void> {
    const until = this.#until
    const [newest, loaded] = await Promise.all([
      this.#get(0, 1, undefined),
      this.#getPages(this.#shownPages()),
    ])
    if (until !== this.#until) return
    this.#replace(loaded)
    this.newer.value = Math.max(0, newest.count - this.count.value!)
  }

  #replace(pages: NumberedPages<Item>): void {
    const before = new Map(this.loaded().map((item) => [this.idOf(item), item]))
    this.#pages.clear()
    this.#take(pages, before)
  }

  #take(pages: NumberedPages<Item>, before?: ReadonlyMap<string, Item>): void {
    for (const [page, { data, count }] of pages) {
      this.#pages.set(
        page,
        data.map((item) => sameOrNew(before?.get(this.idOf(item)), item)),
      )
      this.count.value = count
    }
    this.version.value++
  }

  #getPages(pages: readonly number[]): Promise<NumberedPages<Item>> {
    const until = this.#until
    return Promise.all(pages.map(async (page) => [page, await this.#get(page * PAGE, PAGE, until)] as const))
  }

  #get(offset: number, limit: number, until: string | undefined): Promise<ListPage<Item>> {
    const { path, query } = this.#options
    const search = new URLSearchParams({ limit: String(limit), offset: String(offset) })
    for (const [name, value] of Object.entries({ ...query, until })) {
      if (value !== undefined && value !== '') search.set(name, value)
    }
    return getPage<Item>(`${path}?${search.toString()}`, this.#ended.signal)
  }

  async #safely(run: () => Promise<void>): Promise<void> {
    const ended = this.#ended.signal
    try {
      await run()
      this.problem.value = undefined
    } catch (error) {
      if (ended.aborted) return
      // The row at which the list began may be gone by now.
      if (error instanceof ApiError && error.status !== undefined) this.#until = undefined
      this.problem.value = error as Error
    }
  }
}

/** The object that is shown already, if nothing in it has changed: its row need not be drawn again. */
function sameOrNew<Item>(before: Item | undefined, now: Item): Item {
  return before !== undefined && JSON.stringify(before) === JSON.stringify(now) ? before : now
}
