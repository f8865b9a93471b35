import type { Reporter, Vitest } from 'vitest/node'

/** Says in one line at the end what `npm test` left out. */
export class LeftOut implements Reporter {
  #projects: readonly string[] = []

  onInit({ projects }: Vitest): void {
    this.#projects = projects.map(({ name }) => name)
  }

  onTestRunEnd(): void {
    if (!this.#projects.includes('unit') || this.#projects.includes('services')) return
    console.log(
      'Left out: *.service.test.ts and *.browser.test.ts (npm test -- --project=services --project=browser), ' +
        'and the whole contract on each host (npm run test:built)',
    )
  }
}
