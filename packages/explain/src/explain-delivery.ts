import type { SignatureHeaderValue, WebhookBody } from '@service-signature/core'
import type { Hmac } from '@service-signature/core/signature/hmac/hmac'
import { readDelivery } from './read/arrived-delivery.js'
import { BodyView } from './read/body-view.js'
import type { ExplainOptions } from './read/explain-options.js'
import { DeliveryChecks } from './report/delivery-checks.js'
import type { ExplainReport } from './report/explain-report.js'
import { reportOn } from './report/report.js'
import { readHeader } from './rules/header-rules.js'
import { FaultSearch } from './search/fault-search.js'
import { cpuTime, HmacTester, type Clock } from './search/hmac-tester.js'

/**
 * The last step of the search and the steps after it take a tenth of the time, and up to four tenths for a large body.
 */
const LARGE = 3 * 64 * 1024

/**
 * `explain` with the HMAC of a runtime: reads what was given, makes the checks of the verifier, searches for what the
 * rules say may have happened, and reports.
 */
export async function explainDelivery<Key>(
  hmac: Hmac<Key>,
  given: WebhookBody,
  value: SignatureHeaderValue,
  options: ExplainOptions,
  clock: Clock = cpuTime,
): Promise<ExplainReport> {
  const delivery = await readDelivery(hmac, given, value, options)
  const { bytes, isTooLarge, header, settings } = delivery
  const { keys, versions: listed, timeLimitMilliseconds } = settings
  const body = isTooLarge ? undefined : BodyView.asReceived(bytes, listed)

  const share = Math.max(0.9 - bytes.length / LARGE, 0.6)
  const tester = new HmacTester(hmac, timeLimitMilliseconds * share, clock)
  const checks = new DeliveryChecks(delivery)
  await checks.run(tester, body)

  const search = new FaultSearch(tester)
  if (body !== undefined && checks.usedKeys === undefined) {
    await search.run({ body, keys, listed }, readHeader(header, listed))
  }
  return reportOn({ delivery, body, checks, search, tester })
}
