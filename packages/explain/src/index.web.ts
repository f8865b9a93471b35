/** The entry for edge runtimes and browsers: as index.ts, and with Web Crypto alone. @module */
import { webHmac } from '@service-signature/core/signature/hmac/web'
import type { SignatureHeaderValue, WebhookBody } from '@service-signature/core'
import { explainDelivery } from './explain-delivery.js'
import type { ExplainOptions } from './read/explain-options.js'
import type { ExplainReport } from './report/explain-report.js'
import { RefusalExplainer } from './refusal-explainer.js'

export type { SignatureHeaderValue, WebhookBody } from '@service-signature/core'
export type { ExplainOptions } from './read/explain-options.js'
export * from './report/explain-report.js'
export type { HypothesisName } from './rules/fault-names.js'
export { formatReport, type FormatOptions } from './report/format-report.js'
export type { Refusal, RefusalExplainer } from './refusal-explainer.js'

/**
 * Reports what the verifier does with a delivery, and why: each check, and the faults that are proven, because an HMAC
 * matches once they are undone. It takes up to `timeLimitMilliseconds`, for bodies up to `bodyLimit`.
 *
 * @example
 * const report = await explain(await request.arrayBuffer(), request.headers.get('service-signature'), { secret })
 * console.warn(formatReport(report))
 *
 * @throws {TypeError} on a wrong or missing option, or a body that is not bytes or text; a wrong delivery never throws
 * @throws {RangeError} on a number out of bounds
 */
export async function explain(
  body: WebhookBody,
  header: SignatureHeaderValue,
  options: ExplainOptions,
): Promise<ExplainReport> {
  return explainDelivery(webHmac, body, header, options)
}

/**
 * Explains the refusals of an endpoint, in the hook `onRejected`: at most one at a time and in a second, because anyone
 * can send a delivery that does not match. The others get a short report, with `limitReached`.
 */
export function createRefusalExplainer(): RefusalExplainer {
  return new RefusalExplainer(explain)
}
