import type { Version } from '@service-signature/core'
import type { Delivery } from './delivery.js'
import type { Expectation } from './expectation.js'
import type { Sender } from './sender.js'

/** One thing to find out about an endpoint. */
export interface AuditCase {
  readonly name: string
  /** What is sent, in the words of the report. */
  readonly sent: string
  readonly deliveries: (sender: Sender) => readonly Delivery[]
  readonly expected: Expectation
  /** What it costs to fail. */
  readonly risk: string
  /** Whether it tells anything of an endpoint that asks for these versions. Default: it does. */
  readonly isFor?: (versions: readonly Version[]) => boolean
}

/** Cases that are about the same. */
export interface AuditGroup {
  readonly name: string
  readonly cases: readonly AuditCase[]
}

/** A case, and the name of its group. */
export interface GroupedCase extends AuditCase {
  readonly group: string
}
