import { Broken } from './broken.js'

/** @import { WebhookError } from '@service-signature/core' */
/** @import { Implementation } from './implementation.js' */
/** @import { Peer } from './oracle/python.js' */

/** What a delivery of 64 KB may cost, in milliseconds. */
const MAX_MILLISECONDS = 1000

/**
 * @template Value
 * @typedef {{ value: Value, error?: undefined } | { value?: undefined, error: WebhookError }} Answer
 */

/** One input, tried on one implementation: makes the calls, and watches what any of them must keep to. */
export class Trial {
  /** The longest call. */
  slowest = { call: '', milliseconds: 0 }

  /**
   * @param {Implementation} implementation
   * @param {{ peer?: Peer | undefined, clock: () => number }} tools
   */
  constructor(implementation, { peer, clock }) {
    this.implementation = implementation
    this.peer = peer
    this.clock = clock
  }

  /**
   * Calls, and gives the result or the refusal.
   *
   * @template Value
   * @param {string} name of what is called, for the report
   * @param {() => Value | Promise<Value>} call
   * @returns {Promise<Answer<Value>>}
   */
  async attempt(name, call) {
    const start = this.clock()
    try {
      return { value: await call() }
    } catch (error) {
      if (!this.implementation.WebhookError.is(error)) {
        throw new Broken(`${name} threw ${String(error)}, which is no WebhookError`, { cause: error })
      }
      return { error }
    } finally {
      this.#note(name, this.clock() - start)
    }
  }

  /** @throws {Broken} where a call took too long */
  checkTime() {
    const { call, milliseconds } = this.slowest
    if (milliseconds > MAX_MILLISECONDS) {
      throw new Broken(`${call} took ${Math.round(milliseconds)} ms`, { isSlow: true })
    }
  }

  /**
   * @param {string} call
   * @param {number} milliseconds
   */
  #note(call, milliseconds) {
    if (milliseconds > this.slowest.milliseconds) this.slowest = { call, milliseconds }
  }
}
