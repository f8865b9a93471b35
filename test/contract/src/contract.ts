import { describe } from 'vitest'
import { bodies } from './cases/body.js'
import { connections } from './cases/connections.js'
import { dispatching } from './cases/dispatching.js'
import { expectations } from './cases/expectations.js'
import { genuineDeliveries } from './cases/genuine.js'
import { handlers } from './cases/handlers.js'
import { headers } from './cases/header.js'
import { http2 } from './cases/http2.js'
import { limits } from './cases/limits.js'
import { observers } from './cases/observers.js'
import { parsers } from './cases/parsers.js'
import { recording } from './cases/recording.js'
import { replays, storeFailures } from './cases/replays.js'
import { secrets } from './cases/secrets.js'
import { signatures } from './cases/signature.js'
import type { Host } from './host.js'
import { inMemory } from './support/stores.js'

/** The cases that each host needs: the bytes reach the verifier, the delivery its handler, and its end the replay store. */
const ADAPTER = [
  genuineDeliveries,
  parsers,
  handlers,
  recording,
  (host: Host) => {
    replays(host, inMemory)
  },
]
/** The cases that depend on how a host passes a request on: its header lines and its bytes. */
const TRANSPORT = [headers, bodies]
/** The cases that depend on what a host does with a connection, and on what else an application has in it. */
const CONNECTION = [limits, connections, expectations, http2]
/** The cases that depend only on what every adapter shares, a receiver of core. */
const RECEIVER = [signatures, secrets, dispatching, observers, storeFailures]

/** Whether all cases run on all hosts, and not only on the one that stands for others of its kind. */
const isComplete = process.env['ALL_HOSTS'] !== undefined

/**
 * Runs the cases on the hosts of a package, each once; those about repeated deliveries with a store in memory. Skipped are
 * the parsers that a host does not have, HTTP/2 if it does not speak it, and the cases that need what its transport `lacks`.
 *
 * In the hosts after the first, an adapter does the same in another version or in another place. Without `ALL_HOSTS`, which
 * is set for the built packages, they are left out, and so are the cases for which another host stands.
 */
export function contract(...hosts: readonly Host[]): void {
  for (const host of isComplete ? hosts : hosts.slice(0, 1)) {
    announce(host)
    describe(`in ${host.name}`, () => {
      for (const cases of ADAPTER) cases(host)
      if (!isComplete && host.standsFor === undefined) return
      for (const cases of [...TRANSPORT, ...CONNECTION]) cases(host)
      if (!isComplete && host.standsFor !== 'receiver') return
      for (const cases of RECEIVER) cases(host)
    })
  }
}

/** The cases of a host that differs from a tested one only in the format of its requests and answers. */
export function transportContract(host: Host): void {
  announce(host)
  describe(`in ${host.name}`, () => {
    genuineDeliveries(host)
    if (isComplete) for (const cases of TRANSPORT) cases(host)
  })
}

function announce({ name, lacks = [] }: Host): void {
  if (isComplete && lacks.length > 0)
    console.warn(`${name}: left out are the cases that need ${lacks.join(', ')}`)
}
