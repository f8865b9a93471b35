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

/** The cases that depend on how a host passes a request on: its header lines, its bytes and its answer. */
const TRANSPORT = [genuineDeliveries, headers, bodies]
/** The cases that depend on what a host does with a connection, and on what else an application has in it. */
const HOST = [limits, connections, expectations, handlers, parsers, recording, http2]
/** The cases that depend only on what every adapter shares, a receiver of core. */
const RECEIVER = [signatures, secrets, dispatching, observers, storeFailures]

/** `npm test` runs the cases of a receiver once for Node's and once for the web's, and one host of each package. */
const isShort = process.env['CONTRACT'] === 'short'

/**
 * Runs every case on the hosts of a package, each once; those about repeated deliveries with a store in memory. Skipped are
 * the parsers that a host does not have, HTTP/2 if it does not speak it, and the cases that need what its transport `lacks`.
 *
 * In the hosts after the first, an adapter does the same in another version or in another place. They run where
 * `ALL_HOSTS` is set, as it is for the built packages.
 */
export function contract(...hosts: readonly Host[]): void {
  for (const host of process.env['ALL_HOSTS'] === undefined ? hosts.slice(0, 1) : hosts) {
    announce(host)
    describe(`in ${host.name}`, () => {
      for (const cases of [...TRANSPORT, ...HOST]) cases(host)
      if (isShort && host.standsForReceiver !== true) return
      for (const cases of RECEIVER) cases(host)
      replays(host, inMemory)
    })
  }
}

/** The cases of a host that differs from a tested one only in the format of its requests and answers. */
export function transportContract(host: Host): void {
  announce(host)
  describe(`in ${host.name}`, () => {
    for (const cases of TRANSPORT) cases(host)
  })
}

function announce({ name, lacks = [] }: Host): void {
  if (lacks.length > 0) console.warn(`${name}: left out are the cases that need ${lacks.join(', ')}`)
}
