import { describe } from 'vitest'
import { bodies } from './cases/body.js'
import { connections } from './cases/connections.js'
import { genuineDeliveries } from './cases/genuine.js'
import { handlers } from './cases/handlers.js'
import { headers } from './cases/header.js'
import { limits } from './cases/limits.js'
import { observers } from './cases/observers.js'
import { parsers } from './cases/parsers.js'
import { secrets } from './cases/secrets.js'
import { signatures } from './cases/signature.js'
import type { Host } from './host.js'

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

/** Runs every case on a host. Nothing is left out but what its `parsers` leave out. */
export function contract(host: Host): void {
  describe(`in ${host.name}`, () => {
    for (const cases of CASES) cases(host)
  })
}
