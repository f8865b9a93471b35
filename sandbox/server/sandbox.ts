import type { AddressInfo } from 'node:net'
import { createFirstRecords, firstKeys, organizationOf } from './accounts/organization.js'
import { Deliveries, type Service } from './deliveries/sending.js'
import { Faults } from './faults/faults.js'
import { urlOf, withToken } from './http/caller.js'
import type { App } from './http/operation.js'
import { Targets } from './http/target.js'
import { checkOptions, type SandboxOptions, type Settings } from './options.js'
import { buildServer } from './server.js'
import type { Clock } from './store/clock.js'
import { seededRandom, type Random } from './store/random.js'
import { Store } from './store/store.js'
import { KINDS } from './store/table.js'

/** The payment service in test mode, while it runs. */
export interface Sandbox {
  /** Where it is: the `baseUrl` of its clients. */
  readonly url: string
  /** Where a browser reaches it: `publicUrl` if that option is set. */
  readonly publicUrl: string
  /** What page and control API ask for, if they do: see the option. */
  readonly token: string | undefined
  /** The webhook signing secret. It changes only when it is rotated. */
  readonly secret: string
  /** The keys of the start. */
  readonly apiKeys: {
    /** Of the first account. */
    readonly account: string
    /** The public key that belongs to it. */
    readonly public: string
    readonly organization: string
  }
  readonly accountId: string
  readonly organizationId: string
  /** Where the state is stored, if it is. */
  readonly dataFolder: string | undefined
  /** Back to the state of the start, with the same keys and the same secret. */
  readonly reset: () => void
  /** Resolves when no delivery is being sent. */
  readonly idle: () => Promise<void>
  /** Resolves when each delivery was accepted, is dead, or was lost. */
  readonly drained: () => Promise<void>
  /** Ends the server, and every delivery that is under way. */
  readonly close: () => Promise<void>
}

/**
 * Starts the payment service in test mode, on this machine.
 *
 * @example
 * const sandbox = await startSandbox({ timeScale: 1000 })
 * const secret = fetchSecret({ baseUrl: sandbox.url, apiKey: sandbox.apiKeys.account })
 * // ... create an intent at sandbox.url, pay it, look at what your endpoint received
 * await sandbox.drained()
 * await sandbox.close()
 *
 * @throws {TypeError} on an option that is misspelled or of the wrong type
 * @throws {RangeError} on a number out of bounds
 * @throws {Error} if the data folder cannot be used, or the port is in use
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const settings = withToken(checkOptions(options))
  const service = new RunningService(settings)
  try {
    checkDefaultEndpoint(service)
    const app = await buildServer(service, settings)
    await app.listen({ port: settings.port, host: settings.host })
    const address = app.server.address() as AddressInfo
    service.targets.ownPort = address.port
    service.origin ||= urlOf(address)
    // Not before it listens: an endpoint may ask for the secret first.
    service.deliveries.resume()
    return running(service, app)
  } catch (error) {
    service.store.close()
    throw error
  }
}

function running(service: RunningService, app: App): Sandbox {
  const url = urlOf(app.server.address() as AddressInfo)
  return {
    url,
    publicUrl: service.settings.publicUrl ?? url,
    token: service.settings.token,
    dataFolder: service.store.folder,
    get secret() {
      return organizationOf(service).secret
    },
    get apiKeys() {
      const { accountKey, organizationKey } = firstKeys(service)
      return {
        account: accountKey.value,
        public: accountKey.publicValue,
        organization: organizationKey.value,
      }
    },
    get accountId() {
      return firstKeys(service).accountKey.accountId
    },
    get organizationId() {
      return organizationOf(service).id
    },
    reset: service.reset,
    idle: () => service.deliveries.idle(),
    drained: () => service.deliveries.drained(),
    async close() {
      service.deliveries.end()
      await app.close()
      service.store.close()
    },
  }
}

function checkDefaultEndpoint({ settings, targets }: RunningService): void {
  if (settings.defaultEndpoint === undefined) return
  const problem = targets.problemOf(settings.defaultEndpoint)
  if (problem !== undefined) throw new TypeError(`"defaultEndpoint" ${problem}`)
}

/** The service without its server. */
export class RunningService implements Service {
  readonly settings: Settings
  readonly store: Store
  readonly random: Random
  readonly faults: Faults
  readonly targets: Targets
  deliveries: Deliveries
  /** Where a browser reaches it, once it listens. */
  origin: string

  /** @throws {DataFolderError} if the data folder cannot be used */
  constructor(settings: Settings) {
    this.settings = settings
    this.targets = new Targets(settings)
    this.origin = settings.publicUrl ?? ''
    const { dataFolder: folder, seed, keep } = settings
    this.store = new Store({ kinds: KINDS, folder, seed, keep })
    this.random = seededRandom(this.store.seed, (name) => this.store.count(name))
    this.faults = new Faults(this.store, this.random)
    this.deliveries = new Deliveries(this)
    this.#begin()
  }

  #begin(): void {
    const { settings, store, faults, clock, now } = this
    const { defaultEndpoint, keySeed } = settings
    const random =
      keySeed === undefined ? this.random : seededRandom(keySeed, (name) => store.count(`of keys: ${name}`))
    createFirstRecords({ store, faults, clock, now, random })
    if (defaultEndpoint !== undefined) this.deliveries.defaultEndpoint = defaultEndpoint
  }

  get clock(): Clock {
    return this.settings.clock
  }

  get now(): () => number {
    return this.settings.clock.now
  }

  reset = (): void => {
    this.deliveries.end()
    this.store.reset()
    this.deliveries = new Deliveries(this)
    this.#begin()
  }
}
