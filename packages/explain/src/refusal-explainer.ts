import type { RejectionContext } from '@service-signature/core/receiver'
import type { ExplainOptions } from './read/explain-options.js'
import type { ExplainReport } from './report/explain-report.js'

/** The part of the second argument of the hook `onRejected` that is explained. `body` is missing if it was not read. */
export type Refusal = Pick<RejectionContext<unknown>, 'header' | 'body'>

type Explain = (
  body: Uint8Array,
  header: Refusal['header'],
  options: ExplainOptions,
) => Promise<ExplainReport>

const PAUSE_MILLISECONDS = 1000
const SKIPPED = 'Another delivery was explained less than a second ago, so this one was not.'

/** Explains one refusal at a time and in a second: a flood of forged requests costs a few percent of a processor. */
export class RefusalExplainer {
  readonly #explain: Explain
  readonly #clock: () => number
  #nextAt = -Infinity

  /** @param clock in milliseconds, from any start on */
  constructor(explain: Explain, clock = () => performance.now()) {
    this.#explain = explain
    this.#clock = clock
  }

  async explain(
    { code, message }: { readonly code: string; readonly message: string },
    { header, body }: Refusal,
    options: ExplainOptions,
  ): Promise<ExplainReport> {
    const short: ExplainReport = {
      ok: false,
      code: code as NonNullable<ExplainReport['code']>,
      finding: message,
      checks: [],
      hypotheses: [],
      questions: [],
      ruledOut: [],
      notTried: [],
      hmacs: 0,
    }
    const isWorthIt = code === 'ERR_SIGNATURE_MISMATCH' || code === 'ERR_BODY_NOT_JSON'
    if (body === undefined || !isWorthIt) return short
    if (this.#clock() < this.#nextAt) return { ...short, limitReached: SKIPPED }
    // Blocks further explanations until this one is done.
    this.#nextAt = Infinity
    try {
      return await this.#explain(body, header, options)
    } finally {
      this.#nextAt = this.#clock() + PAUSE_MILLISECONDS
    }
  }
}
