import type { Simulation } from './simulation.js'
import type { Worker } from './worker.js'

/** An event that the sender delivers until it is acknowledged. */
export interface Delivery {
  readonly name: string
  readonly body: Uint8Array
  isAcknowledged: boolean
  /** How often an effect of it was committed to the database. */
  bookings: number
}

export function newDelivery(name: string): Delivery {
  return { name, body: Buffer.from(JSON.stringify({ name })), isAcknowledged: false, bookings: 0 }
}

/** Sends each delivery as often as the schedule says, and then until it is acknowledged. */
export class Sender {
  /** All sent deliveries. */
  readonly deliveries = new Set<Delivery>()
  readonly #simulation: Simulation
  readonly #workers: readonly Worker[]
  #sent = 0

  constructor(simulation: Simulation, workers: readonly Worker[]) {
    this.#simulation = simulation
    this.#workers = workers
  }

  /** Requests overlap, and some arrive after the delivery was acknowledged. */
  async send(delivery: Delivery): Promise<void> {
    this.deliveries.add(delivery)
    const attempt = ++this.#sent
    const worker = this.#workers[attempt % this.#workers.length]!
    const name = `request ${attempt} (${delivery.name})`
    await this.#simulation.step(`sender: ${name} reaches ${worker.name}`)
    const status = await worker.receive(name, delivery)
    const isLost = this.#simulation.next('lostResponses') === true
    await this.#simulation.step(`sender: ${name}, response ${status}${isLost ? ' is lost' : ''}`)
    if (!isLost && status >= 200 && status < 300) delivery.isAcknowledged = true
  }
}
