import { once } from 'node:events'
import { Client } from './client.js'

/** How long a case may take. No case waits for it: it ends what would never end. */
const LONGEST_MS = 20_000

/** One endpoint of a runtime, that one case plays with. */
export class Remote {
  /** @type {Client[]} */
  #clients = []
  #deadline = AbortSignal.timeout(LONGEST_MS)
  #port
  #place

  /**
   * @param {number} port
   * @param {string} setup
   * @param {import('./key-service.js').Account} account
   */
  constructor(port, setup, account) {
    this.#port = port
    this.#place = `${setup}/${account.name}`
    this.account = account
  }

  async connect() {
    const path = `/webhooks/${this.#place}?service=${encodeURIComponent(this.account.url)}`
    const client = await Client.connect(this.#port, path, this.#deadline)
    this.#clients.push(client)
    return client
  }

  /**
   * Resolves when the payment service has been asked so often for the secret.
   *
   * @param {number} calls
   */
  async askedForSecret(calls) {
    while (this.account.calls < calls) await once(this.account.news, 'call', { signal: this.#deadline })
  }

  /**
   * A whole delivery, and its answer.
   *
   * @param {import('./deliveries.js').Delivery} delivery
   * @param {Client} [client]
   */
  async send(delivery, client) {
    const connection = client ?? (await this.connect())
    connection.send(delivery)
    return connection.answer()
  }

  /**
   * What the endpoint has seen, when it has seen so much.
   *
   * @param {keyof import('./inside/setups.js').Seen} [until]
   * @param {number} [count]
   */
  async seen(until, count = 1) {
    const query = until === undefined ? '' : `?until=${until}&count=${count}`
    return this.#ask('GET', `/seen/${this.#place}${query}`)
  }

  /** Lets a handler go on that waits. */
  async finish() {
    await this.#ask('POST', `/finish/${this.#place}`)
  }

  async close() {
    await Promise.all(this.#clients.map((client) => client.leave()))
  }

  /**
   * @param {string} method
   * @param {string} path
   */
  async #ask(method, path) {
    const answer = await fetch(`http://127.0.0.1:${this.#port}${path}`, { method, signal: this.#deadline })
    return /** @type {import('./inside/setups.js').Seen} */ (await answer.json())
  }
}
