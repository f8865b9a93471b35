/** The results of tests, on any runtime. */
export class Outcome {
  passed = 0
  failures = []

  /** Runs a test, which fails by throwing. */
  async test(name, run) {
    try {
      await run()
      this.passed += 1
    } catch (error) {
      this.failures.push(`${name}: ${error instanceof Error ? error.message : error}`)
    }
  }

  add({ passed, failures }) {
    this.passed += passed
    this.failures.push(...failures)
  }
}
