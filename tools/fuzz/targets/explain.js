import { API_KEY, choose, formOf, headerValueOf, rulesOf, SECRET } from '../delivery.js'
import { checkIsFitForLog } from '../answers.js'
import { check } from '../broken.js'
import { part } from '../input.js'
import { mutateBytes, mutateSetup } from '../mutate/bytes.js'
import { mutateHeader } from '../mutate/header.js'
import { mutateJson } from '../mutate/json.js'
import { mutateParts, withTwin } from '../mutate/parts.js'
import { digestOf } from '../oracle/sign.js'
import { readHeader, verdictOn } from '../oracle/verdict.js'

/** @import { SignatureHeaderValue } from '@service-signature/core' */
/** @import { ExplainReport } from '@service-signature/core/explain' */
/** @import { Input } from '../input.js' */
/** @import { Target } from './target.js' */

const MAX_HMACS = 200

/** @type {Target} */
export const explain = {
  name: 'explain',
  promise: 'explain answers whatever arrives, as the verifier would, in 200 HMACs, and shows no key',
  starts: [
    { header: 't=1743090080,v1={v1},v2={v2},v3={v3}', body: '{"a": 1.0}', sent: '{"a":1}' },
    { header: 'Service-Signature: t=1743090080,v3={v3}', body: '{}', sent: '{}\n' },
  ],
  fromVector: ({ header, body, setup }) => ({ header, body, sent: body, setup }),
  mutate: withTwin(
    'body',
    'sent',
    mutateParts(
      {
        header: mutateHeader,
        body: (bytes, other, random) =>
          random.oneIn(2) ? mutateBytes(bytes, other, random) : mutateJson(bytes, other, random),
        setup: mutateSetup,
      },
      [],
    ),
  ),

  async run(input, trial) {
    const rules = rulesOf(input)
    const sent = part(input, 'sent')
    const header = /** @type {SignatureHeaderValue} */ (headerValueOf(input))
    const { secret, isInUse } = choose(input, 6, [
      { secret: rules.secrets, isInUse: true },
      { secret: rules.secrets, isInUse: true },
      { secret: [`${SECRET}\n`], isInUse: false },
      { secret: [Buffer.from(SECRET).toString('base64')], isInUse: false },
      { secret: [API_KEY], isInUse: false },
    ])
    const { versions, now, toleranceSeconds, futureToleranceSeconds, apiKey } = rules
    const options = { secret, apiKey, versions, now, toleranceSeconds, futureToleranceSeconds }
    const { value: report, error } = await trial.attempt('explain', () =>
      trial.implementation.explain(sent, header, options),
    )
    check(report !== undefined, `explain threw ${error?.code ?? ''}`)
    check(report.hmacs <= MAX_HMACS, `explain computed ${report.hmacs} HMACs`)
    const { value: text = '' } = await trial.attempt('formatReport', () =>
      trial.implementation.formatReport(report),
    )
    checkReport(`${JSON.stringify(report)}\n${text}`, input, header)
    if (!isInUse) return
    const verdict = verdictOn(rules, sent, header, { needsJson: true })
    const expected = 'code' in verdict ? verdict.code : undefined
    check(report.ok === (expected === undefined), `explain says ${String(report.ok)}`)
    check(report.code === expected, `explain says ${report.code ?? 'ok'}, the verifier ${expected ?? 'ok'}`)
    checkOrder(report)
  },
}

/**
 * Nothing in it that a log must not hold: no key, no digest that would be right, no body.
 *
 * @param {string} text
 * @param {Input} input
 * @param {unknown} header
 */
function checkReport(text, input, header) {
  checkIsFitForLog(text, 'explain')
  const elements = readHeader(header)
  const t = typeof elements === 'string' ? '' : (elements['t'] ?? '')
  for (const body of [part(input, 'body'), part(input, 'sent')]) {
    for (const version of /** @type {const} */ (['v1', 'v2', 'v3'])) {
      const digest = digestOf(version, version === 'v1' ? API_KEY : SECRET, body, t, formOf(input))
      check(digest === undefined || !text.includes(digest), 'explain shows a digest')
    }
    // A short one may stand in a sentence by chance.
    const shown = Buffer.from(body).toString()
    check(shown.trim().length < 30 || !text.includes(shown), 'explain shows the body')
  }
}

/**
 * Once a check has failed, no later one passes as if nothing had been.
 *
 * @param {ExplainReport} report
 */
function checkOrder({ ok, checks }) {
  const failed = checks.some(({ outcome }) => outcome === 'failed')
  check(ok !== failed, ok ? 'explain says ok, and a check failed' : 'explain says no, and no check failed')
}
