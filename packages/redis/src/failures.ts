import type { WebhookError } from '@service-signature/core'
import { READ_ONLY, storeFailureOf, type Failures } from '@service-signature/inbox'

/** By a part of the message of the server, which may have the name of the script before it. */
const FAILURES: Failures = {
  'LOADING ': { what: 'it is loading its data', fix: 'Nothing to do: a retry can be handled.' },
  'MOVED ': { what: 'the key is on another server of the cluster', fix: 'Pass a client of the cluster.' },
  NOAUTH: { what: 'the client has no password', fix: 'Give the client the user and the password.' },
  NOPERM: { what: 'the user may not run a command', fix: 'Allow it EVAL, GET, SET, DEL and INFO.' },
  NOREPLICAS: { what: 'it has too few replicas', fix: 'Start one, or lower min-replicas-to-write.' },
  'OOM command': { what: 'its memory is full', fix: 'Raise maxmemory.' },
  READONLY: READ_ONLY,
}

/** The refusal of a delivery that cannot be handled now: the sender should retry it. */
export function refusalOf(error: unknown): WebhookError {
  return storeFailureOf(error, FAILURES)
}
