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

/** Why a delivery was refused: the whole report where its bytes are known and at fault, else what the error says. */
export async function explainRefusal(
  { error, header, body, options }: Refused,
  load: LoadExplain,
): Promise<ExplainReport> {
  const { code, message } = error
  if (body !== undefined && (code === 'ERR_SIGNATURE_MISMATCH' || code === 'ERR_BODY_NOT_JSON')) {
    const explain = await load()
    if (explain !== undefined) return explain(body, header, await options())
  }
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
