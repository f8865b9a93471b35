import { Session } from 'node:inspector'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** @import { Profiler } from 'node:inspector' */

const OURS = '/packages/core/dist/'

/**
 * Which code of core has run so far, by the engine's own account: block by block, as coverage reports have it.
 *
 * This is what guides the fuzzer, and why it needs no dependency. Jazzer.js, which is libFuzzer for Node, brings a
 * native addon and instruments what it loads by itself, while the promises here need no more than to know whether an
 * input reached something new. fast-check makes inputs, but does not mutate those that are there.
 */
export class Places {
  /** How many stretches of code were reached, as they came: where much is reached at once, that is one long stretch. */
  count = 0
  #session = new Session()
  /** @type {Map<string, Uint8Array>} */
  #seen = new Map()

  /** Starts to watch. What is not loaded yet is watched from its start. */
  static open() {
    const places = new Places()
    places.#session.connect()
    places.#post('Profiler.enable')
    places.#post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
    return places
  }

  close() {
    this.#session.disconnect()
  }

  /** What has run since the last time. It takes some milliseconds. */
  take() {
    const { result } = /** @type {Profiler.TakePreciseCoverageReturnType} */ (
      this.#post('Profiler.takePreciseCoverage')
    )
    return result.filter(({ url }) => url.includes(OURS))
  }

  /** @param {readonly Profiler.ScriptCoverage[]} coverage */
  hasNew(coverage) {
    return coverage.some((script) => this.#newStretches(script) > 0)
  }

  /**
   * @param {readonly Profiler.ScriptCoverage[]} coverage
   * @returns whether there was something new
   */
  add(coverage) {
    const before = this.count
    for (const script of coverage) {
      this.count += this.#newStretches(script)
      const seen = this.#seenOf(script.url)
      const ran = painted(script, seen.length)
      for (let at = 0; at < ran.length; at++) if (ran[at] === 1) seen[at] = 1
    }
    return this.count > before
  }

  /** @param {Profiler.ScriptCoverage} script */
  #newStretches(script) {
    const seen = this.#seenOf(script.url)
    const ran = painted(script, seen.length)
    let stretches = 0
    let isNew = false
    for (let at = 0; at < ran.length; at++) {
      const wasNew = isNew
      isNew = ran[at] === 1 && seen[at] === 0
      if (isNew && !wasNew) stretches++
    }
    return stretches
  }

  /** @param {string} url */
  #seenOf(url) {
    const seen = this.#seen.get(url) ?? new Uint8Array(statSync(fileURLToPath(url)).size)
    this.#seen.set(url, seen)
    return seen
  }

  /**
   * @param {string} method
   * @param {object} [parameters]
   * @returns {object | undefined}
   */
  #post(method, parameters) {
    /** @type {object | undefined} */
    let answer
    this.#session.post(method, parameters, (error, result) => {
      if (error !== null) throw error
      answer = result
    })
    return answer
  }
}

/**
 * For each character of a script, whether it ran. Inner ranges come after those that they are in.
 *
 * @param {Profiler.ScriptCoverage} script
 * @param {number} length
 */
function painted({ functions }, length) {
  const ran = new Uint8Array(length)
  for (const { ranges } of functions) {
    for (const { startOffset, endOffset, count } of ranges)
      ran.fill(count > 0 ? 1 : 0, startOffset, endOffset)
  }
  return ran
}
