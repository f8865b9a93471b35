/** The results of tests, on any runtime. */
export class Outcome {
  passed = 0
  /** @type {string[]} */
  failures = []
  #prefix

  /** @param {string} prefix of the names of failed tests */
  constructor(prefix = '') {
    this.#prefix = prefix
  }

  /**
   * @param {string} name
   * @param {() => unknown} run fails by throwing
   */
  async test(name, run) {
    try {
      await run()
      this.passed += 1
    } catch (error) {
      this.failures.push(`${this.#prefix}${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

/**
 * Not every runtime has node:assert.
 *
 * @param {unknown} actual
 * @param {unknown} expected
 */
export function equal(actual, expected) {
  const [got, wanted] = [actual, expected].map((value) => JSON.stringify(value))
  if (got !== wanted) throw new Error(`expected ${wanted}, got ${got}`)
}
