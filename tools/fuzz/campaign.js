import { Broken } from './broken.js'
import { Random } from './random.js'
import { shrink } from './shrink.js'
import { Trial } from './trial.js'

/** @import { Input } from './input.js' */
/** @import { Implementation } from './implementation.js' */
/** @import { Peer } from './oracle/python.js' */
/** @import { Places } from './places.js' */
/** @import { Target } from './targets/target.js' */

/**
 * What a campaign works with.
 *
 * @typedef {object} Tools
 * @property {Implementation} implementation
 * @property {Peer | undefined} peer
 * @property {Places | undefined} places guides, where it is there
 * @property {() => number} clock in milliseconds
 */

/** A fault, and the smallest input that shows it. */
/** @typedef {{ fault: Error, input: Input, original: Input }} Finding */

// To ask what was reached costs as much as many inputs, so it is asked for many at once.
const BATCH = 200
const BATCH_MILLISECONDS = 500

/** One target, fed with the inputs that are known and then with others made of them. */
export class Campaign {
  inputs = 0
  slowest = { call: '', milliseconds: 0 }
  /** Inputs that reached what none before had reached. @type {Input[]} */
  kept = []
  #random

  /**
   * @param {Target} target
   * @param {Tools} tools
   * @param {number} seed
   */
  constructor(target, tools, seed) {
    this.target = target
    this.tools = tools
    this.#random = new Random(seed)
  }

  /**
   * @param {readonly Input[]} inputs
   * @param {() => boolean} isOver
   * @returns {Promise<Finding | undefined>}
   */
  async replay(inputs, isOver = () => false) {
    for (const input of inputs) {
      if (isOver()) break
      const fault = await this.faultOf(input)
      if (fault !== undefined) return this.#finding(input, fault)
    }
    const { places } = this.tools
    places?.add(places.take())
    return undefined
  }

  /**
   * @param {readonly Input[]} corpus
   * @param {readonly Input[]} others to make inputs of, too, though less often
   * @param {(inputs: number) => boolean} isOver
   * @param {() => void | Promise<void>} afterBatch
   * @returns {Promise<Finding | undefined>}
   */
  async run(corpus, others, isOver, afterBatch) {
    const { clock } = this.tools
    const start = this.inputs
    const isDone = () => isOver(this.inputs - start)
    while (!isDone()) {
      /** @type {Input[]} */
      const batch = []
      const batchEnd = clock() + BATCH_MILLISECONDS
      while (batch.length < BATCH && clock() < batchEnd && !isDone()) {
        const input = this.#mutate([...corpus, ...this.kept], others)
        const fault = await this.faultOf(input)
        if (fault !== undefined) return this.#finding(input, fault)
        batch.push(input)
      }
      await this.#keepFrom(batch)
      await afterBatch()
    }
    return undefined
  }

  /**
   * @param {Input} input
   * @returns {Promise<Error | undefined>}
   */
  async faultOf(input) {
    let fault = await this.#try(input)
    // A busy machine is slow now and then, a slow input always.
    for (let more = 2; fault instanceof Broken && fault.isSlow && more > 0; more--)
      fault = await this.#try(input)
    return fault
  }

  /**
   * Whether an input reaches what none before had reached.
   *
   * @param {Input} input
   */
  async reachesNew(input) {
    const { places } = this.tools
    await this.#try(input)
    return places?.add(places.take()) ?? false
  }

  /**
   * @param {Input} input
   * @returns {Promise<Error | undefined>}
   */
  async #try(input) {
    const { implementation, ...tools } = this.tools
    const trial = new Trial(implementation, tools)
    this.inputs++
    try {
      await this.target.run(input, trial)
      trial.checkTime()
      return undefined
    } catch (error) {
      return error instanceof Error ? error : new Broken(`something threw ${typeof error}`)
    } finally {
      if (trial.slowest.milliseconds > this.slowest.milliseconds) this.slowest = trial.slowest
    }
  }

  /**
   * @param {readonly Input[]} pool
   * @param {readonly Input[]} others
   */
  #mutate(pool, others) {
    const random = this.#random
    const choose = () => random.pick(others.length > 0 && random.oneIn(3) ? others : pool)
    return this.target.mutate(choose(), choose(), random)
  }

  /**
   * Looks for the inputs of a batch that reached something new, by halves.
   *
   * @param {readonly Input[]} batch
   * @param {boolean} [isRun] just now
   */
  async #keepFrom(batch, isRun = true) {
    const { places } = this.tools
    if (places === undefined) return
    if (!isRun) {
      places.take()
      for (const input of batch) await this.#try(input)
    }
    const coverage = places.take()
    if (!places.hasNew(coverage)) return
    const [only, another] = batch
    if (only !== undefined && another === undefined) {
      this.kept.push(only)
      places.add(coverage)
      return
    }
    const middle = Math.ceil(batch.length / 2)
    for (const half of [batch.slice(0, middle), batch.slice(middle)]) {
      if (half.length > 0) await this.#keepFrom(half, false)
    }
    // What came only of all of them together, such as a cache that was full.
    places.add(coverage)
  }

  /**
   * @param {Input} original
   * @param {Error} fault
   * @returns {Promise<Finding>}
   */
  async #finding(original, fault) {
    const isSlow = fault instanceof Broken && fault.isSlow
    const showsFault = async (/** @type {Input} */ input) =>
      kindOf(await this.faultOf(input)) === kindOf(fault)
    const input = await shrink(original, showsFault, isSlow ? 20 : undefined)
    return { fault: (await this.faultOf(input)) ?? fault, input, original }
  }
}

/** @param {Error | undefined} fault */
function kindOf(fault) {
  return fault?.message.replace(/[0-9]+/g, '0')
}
