/**
 * Says why a delivery does not verify. This is the entry for Node, Bun and Deno; `explain.web.ts` is the one for edge
 * runtimes.
 *
 * @module core/explain
 */
import type { WebhookBody } from './body.js'
import { nodeDigest } from './digest/node.js'
import { explainWith } from './explain/build.js'
import type { ExplainOptions } from './explain/options.js'
import type { ExplainReport } from './explain/report.js'
import type { SignatureHeaderValue } from './header.js'

export * from './explain/shared.js'

/**
 * Says what the verifier would say, and why: each check, and the faults that are proven by a HMAC that matches once
 * they are undone. It takes up to `timeLimitMilliseconds` of CPU, for bodies up to `bodyLimit`.
 *
 * @example
 * const report = await explain(rawBody, request.headers['service-signature'], { secret })
 * console.warn(formatReport(report))
 *
 * @throws {TypeError} on a wrong or missing option, or a body that is no body; nothing else that is wrong throws
 * @throws {RangeError} on a number out of bounds
 */
export async function explain(
  body: WebhookBody,
  header: SignatureHeaderValue,
  options: ExplainOptions,
): Promise<ExplainReport> {
  return explainWith(nodeDigest, body, header, options)
}
