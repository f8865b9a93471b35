import type { ReplayStore } from '@service-signature/core'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe } from 'vitest'
import { bodies } from './cases/body.js'
import { connections } from './cases/connections.js'
import { genuineDeliveries } from './cases/genuine.js'
import { handlers } from './cases/handlers.js'
import { headers } from './cases/header.js'
import { limits } from './cases/limits.js'
import { observers } from './cases/observers.js'
import { parsers } from './cases/parsers.js'
import { replays, storeFailures } from './cases/replays.js'
import { secrets } from './cases/secrets.js'
import { signatures } from './cases/signature.js'
import type { Host } from './host.js'
import { STORES, type StoreSupply } from './support/stores.js'

const CASES = [
  genuineDeliveries,
  headers,
  signatures,
  bodies,
  limits,
  connections,
  secrets,
  handlers,
  observers,
  parsers,
]

/**
 * Runs every case on a host: without a memory, and with each kind of store. Nothing is left out but what its `parsers`
 * leave out, what its transport `lacks`, and what takes a store that this machine does not have.
 */
export function contract(host: Host): void {
  for (const ability of host.lacks ?? []) {
    console.warn(`NOT TESTED in ${host.name}: what takes a transport that can do ${ability}`)
  }
  describe(`in ${host.name}`, () => {
    for (const cases of CASES) cases(host)
    storeFailures(host)
  })
  for (const kind of STORES) {
    describe.skipIf(!kind.isThere)(`in ${host.name}, with a store ${kind.name}`, () => {
      replays(host, kind)
      let supply: StoreSupply
      beforeAll(async () => {
        supply = await kind.start()
      })
      afterAll(() => supply.stop())
      for (const cases of CASES) cases(remembering(host, () => supply.open()))
    })
  }
}

/** The host with a memory, for which no two deliveries of a case are the same. */
function remembering(host: Host, open: () => ReplayStore): Host {
  const replayKey = () => randomUUID()
  return {
    ...host,
    start: ({ options, ...setup }) =>
      host.start({ ...setup, options: { ...options, replay: open(), replayKey } }),
  }
}
