import type { WebhookError } from '../errors.js'
import type { ExplainOptions } from '../explain/options.js'
import type { ExplainReport } from '../explain/report.js'
import type { SignatureHeaderValue } from '../header.js'

/** `explain` of `@service-signature/core/explain`. */
export type Explain = (
  body: Uint8Array,
  header: SignatureHeaderValue,
  options: ExplainOptions,
) => Promise<ExplainReport>

/** Loads it when it is asked for: most endpoints never do. Nothing where an edge's bundle is to be without it. */
export type LoadExplain = () => Promise<Explain | undefined>

/** What is known of a delivery that was refused. */
export interface Refused {
  readonly error: WebhookError
  readonly header: SignatureHeaderValue
  /** Nothing where it was refused before its body was read. */
  readonly body: Uint8Array | undefined
  readonly options: () => Promise<ExplainOptions>
}

const PAUSE_MILLISECONDS = 1000

/**
 * Why deliveries were refused: the whole report if the bytes are known and at fault, else what the error says.
 *
 * Anyone can send what does not match, so at most one whole report is made at a time and in a second: a flood of forged
 * requests costs a few percent of a processor. The others get the short report.
 */
export class Explainer {
  readonly #load: LoadExplain
  readonly #clock: () => number
  #nextAt = -Infinity

  /** @param clock in milliseconds, from any start on */
  constructor(load: LoadExplain, clock = () => performance.now()) {
    this.#load = load
    this.#clock = clock
  }

  async explain({ error, header, body, options }: Refused): Promise<ExplainReport> {
    const isWorthIt = error.code === 'ERR_SIGNATURE_MISMATCH' || error.code === 'ERR_BODY_NOT_JSON'
    if (body === undefined || !isWorthIt) return shortReport(error)
    if (this.#clock() < this.#nextAt) return { ...shortReport(error), limitReached: SKIPPED }
    // Until it is done.
    this.#nextAt = Infinity
    try {
      const explain = await this.#load()
      return explain === undefined ? shortReport(error) : await explain(body, header, await options())
    } finally {
      this.#nextAt = this.#clock() + PAUSE_MILLISECONDS
    }
  }
}

const SKIPPED = 'Another delivery was explained less than a second ago, so this one was not.'

function shortReport({ code, message }: WebhookError): ExplainReport {
  return {
    ok: false,
    code,
    finding: message,
    checks: [],
    hypotheses: [],
    ruledOut: [],
    notTried: [],
    hmacs: 0,
  }
}
