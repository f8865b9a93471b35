import type { AttemptReport } from '@service-signature/deliveries'
import type { Attempt } from '../deliveries/delivery.js'
import type { Delivery } from '../store/records.js'

export type { AttemptReport }

/** `attempt`: counted from 1. */
export function reportAttempt(
  { id, type, url, created }: Pick<Delivery, 'id' | 'type' | 'url' | 'created'>,
  attempt: number,
  made: Attempt,
): AttemptReport {
  const { at, headers, body, faults, answer = null, error = null, durationMs } = made
  return { delivery: id, attempt, type, url, created, at, headers, body, faults, answer, error, durationMs }
}
