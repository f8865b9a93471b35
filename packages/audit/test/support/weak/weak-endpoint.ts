import type { RequestListener } from 'node:http'

/** A weakness of an endpoint, the endpoint, and the findings that an audit must have. */
export interface WeakEndpoint {
  readonly what: string
  readonly listener: RequestListener
  readonly found: Found
}

/** The names of cases, by the kind of the weakness. */
export type Found = Readonly<Partial<Record<'accepts' | 'loses' | 'leaks' | 'fails', readonly string[]>>>
