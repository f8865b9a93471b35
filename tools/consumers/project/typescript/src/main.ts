// A program of a merchant in TypeScript, with the packages that need no host. It throws if a result is wrong.
import { deepStrictEqual } from 'node:assert'
import { createHmac } from 'node:crypto'
import {
  createDispatcher,
  createVerifier,
  memoryReplayStore,
  verifySync,
  WebhookError,
  type ReplayStore,
  type VerifierOptions,
  type WebhookErrorCode,
} from '@service-signature/core'
import { createNodeReceiver } from '@service-signature/core/node'
import { createReceiver } from '@service-signature/core/receiver'
import { sign, transactionEvent } from '@service-signature/core/testing'
import { explain, formatReport } from '@service-signature/explain'

const secret = 'test_signature_key'
const body = JSON.stringify(transactionEvent({ intent: { amount: { value: 7.1 } } }))
const timestamp = String(Math.floor(Date.now() / 1000))
const message = Buffer.from(body).toString('base64') + timestamp
const header = `t=${timestamp},v3=${createHmac('sha256', secret).update(message).digest('hex')}`

async function main(): Promise<void> {
  const replay: ReplayStore = memoryReplayStore()
  const options: VerifierOptions = { secret, versions: ['v3'] }
  let paid = 0
  const dispatcher = createDispatcher().on('transaction.purchase.successful', ({ payload }) => {
    paid += payload.intent.amount.value
  })
  const verifier = createVerifier({ ...options, replay })
  const { outcome } = await verifier.receive(body, header, (webhook) => dispatcher.dispatch(webhook))
  deepStrictEqual([outcome, paid], ['handled', 7.1])
  deepStrictEqual(verifySync(body, header, { secret }).event.shape, 'transaction')
  deepStrictEqual(sign(body, { secret, timestamp: Number(timestamp), versions: ['v3'] }), header)

  let code: WebhookErrorCode | undefined
  await verifier.verify(`${body} `, header).catch((error: unknown) => {
    if (WebhookError.is(error)) code = error.code
  })
  deepStrictEqual(code, 'ERR_SIGNATURE_MISMATCH')
  const report = await explain(`${body}\n`, header, { secret })
  deepStrictEqual([report.ok, typeof formatReport(report)], [false, 'string'])
  // @ts-expect-error: it is "secret"
  const misspelled: VerifierOptions = { sercet: secret }
  deepStrictEqual(Object.keys(misspelled).length, 1)
  deepStrictEqual([typeof createReceiver, typeof createNodeReceiver], ['function', 'function'])
}

main().catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
