/** Milliseconds, from any start on. */
export type Clock = () => number

/** Not imported, so that this runs where there is no Node. */
interface Platform {
  readonly process?: Partial<Pick<NodeJS.Process, 'cpuUsage'>>
}

/** CPU time where the runtime reports it, so that a busy machine does not shorten a report; else the time that passed. */
export function cpuTime(): number {
  try {
    const { user, system } = (globalThis as Platform).process!.cpuUsage!()
    return (user + system) / 1000
  } catch {
    // There is no `process`, or its `cpuUsage` throws, as on workerd.
    return performance.now()
  }
}

/** The time that one explanation may take. It is measured, since what a body costs depends on its shape. */
export class Budget {
  readonly #clock: Clock
  readonly #end: number
  #isExceeded = false

  constructor(milliseconds: number, clock: Clock) {
    this.#clock = clock
    this.#end = clock() + milliseconds
  }

  /** Whether something was left out for want of time. */
  get isExceeded(): boolean {
    return this.#isExceeded
  }

  hasTime(): boolean {
    this.#isExceeded ||= this.#clock() >= this.#end
    return !this.#isExceeded
  }
}
