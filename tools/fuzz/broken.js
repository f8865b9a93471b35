/** A promise of core does not hold for an input. */
export class Broken extends Error {
  /**
   * @param {string} message
   * @param {{ cause?: unknown, isSlow?: boolean }} [options]
   */
  constructor(message, { cause, isSlow = false } = {}) {
    super(message, { cause })
    this.name = 'Broken'
    this.isSlow = isSlow
  }
}

/**
 * @param {boolean} holds
 * @param {string} fault what is wrong where it does not hold
 * @returns {asserts holds}
 */
export function check(holds, fault) {
  if (!holds) throw new Broken(fault)
}
