import type { Manner } from './manners.js'

/** What is put on the wire. */
export interface Delivery {
  readonly method: 'POST' | 'PUT'
  /** Beside `Host` and what frames the body. A name that stands there twice is sent twice. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
  readonly manner: Manner
  /** What no refusal of it may tell. */
  readonly untold: () => readonly string[]
}
