import type { RequestListener } from 'node:http'

/** What an endpoint does wrong, how it does it, and what an audit is to find. */
export interface WeakEndpoint {
  readonly what: string
  readonly listener: RequestListener
  readonly found: Found
}

/** The names of cases, by the kind of the weakness. */
export type Found = Readonly<Partial<Record<'accepts' | 'loses' | 'leaks' | 'fails', readonly string[]>>>
