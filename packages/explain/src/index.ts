/**
 * Explains why a delivery does not verify. This is the entry for Node, Bun and Deno; `index.web.ts` is the one for edge
 * runtimes and browsers.
 *
 * @module explain
 */
import { nodeHmac } from '@service-signature/core/signature/hmac/node'
import type { SignatureHeaderValue, WebhookBody } from '@service-signature/core'
import { explainDelivery } from './explain-delivery.js'
import type { ExplainOptions } from './read/explain-options.js'
import type { ExplainReport } from './report/explain-report.js'
import { RefusalExplainer } from './refusal-explainer.js'

export type { SignatureHeaderValue, WebhookBody } from '@service-signature/core'
export type { ExplainOptions } from './read/explain-options.js'
export * from './report/explain-report.js'
export type { HypothesisName } from './rules/rule-table.js'
export { formatReport, type FormatOptions } from './report/format-report.js'
export type { Refusal, RefusalExplainer } from './refusal-explainer.js'

/**
 * Reports what the verifier does with a delivery, and why: each check, and the faults that are proven, because an HMAC
 * matches once they are undone. It takes up to `timeLimitMilliseconds` of CPU time, for bodies up to `bodyLimit`.
 *
 * @example
 * const report = await explain(rawBody, request.headers['service-signature'], { secret })
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
  return explainDelivery(nodeHmac, body, header, options)
}

/**
 * Explains the refusals of an endpoint, in the hook `onRejected`. At most one is explained at a time and in a second,
 * because anyone can send a delivery that does not match; the others get a short report, with `limitReached`.
 *
 * @example
 * const refusals = createRefusalExplainer()
 * const onRejected = async (error, context) =>
 *   console.warn(formatReport(await refusals.explain(error, context, { secret })))
 */
export function createRefusalExplainer(): RefusalExplainer {
  return new RefusalExplainer(explain)
}
