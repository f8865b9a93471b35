import { createFirstRecords } from './accounts/organization.js'
import { setDefaultEndpoint } from './deliveries/default-endpoint.js'
import { Deliveries } from './deliveries/sending.js'
import type { Service } from './deliveries/service.js'
import { Faults } from './faults/faults.js'
import { Targets } from './http/target.js'
import type { Settings } from './options.js'
import type { Clock } from './store/clock.js'
import { seededRandom, type Random } from './store/random.js'
import { Store } from './store/store.js'
import { KINDS } from './store/table.js'

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
    if (defaultEndpoint !== undefined) setDefaultEndpoint(this, defaultEndpoint)
  }

  get clock(): Clock {
    return this.settings.clock
  }

  get now(): () => number {
    return this.settings.clock.now
  }

  reset = (): void => {
    this.end()
    this.store.reset()
    this.deliveries = new Deliveries(this)
    this.#begin()
  }

  /** Ends every delivery and pause. */
  end(): void {
    this.deliveries.end()
  }
}
