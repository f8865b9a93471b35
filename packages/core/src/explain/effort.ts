/**
 * How much work was done, in nanoseconds as they were measured on one machine. No clock is asked: what a report says
 * must not depend on how busy the machine is.
 */
export class Effort {
  #spent = 0

  spend(nanoseconds: number): void {
    this.#spent += nanoseconds
  }

  /** What was spent since the last call. */
  take(): number {
    const spent = this.#spent
    this.#spent = 0
    return spent
  }
}
