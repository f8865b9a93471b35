// A program of a merchant in TypeScript, with the packages that need no host. It throws if a result is wrong.
import { strictEqual } from 'node:assert'
import { createHmac } from 'node:crypto'
import {
  createDispatcher,
  createVerifier,
  memoryReplayStore,
  verifySync,
  WebhookError,
  type ReplayStore,
  type VerifiedWebhook,
  type VerifierOptions,
  type WebhookErrorCode,
} from '@service-signature/core'
import { explain, formatReport } from '@service-signature/explain'
import { createNodeReceiver } from '@service-signature/core/node'
import { createReceiver } from '@service-signature/core/receiver'
import { sign, signedRequest, transactionEvent } from '@service-signature/core/testing'

const secret = 'test_signature_key'
const body = JSON.stringify(transactionEvent({ intent: { amount: { value: 7.1 } } }))
const timestamp = String(Math.floor(Date.now() / 1000))
const message = Buffer.from(body).toString('base64') + timestamp
const header = `t=${timestamp},v3=${createHmac('sha256', secret).update(message).digest('hex')}`

/** The paid amount, typed by the package. */
function amountOf({ event }: VerifiedWebhook): number | undefined {
  // @ts-expect-error: its shape must be checked first
  void event.payload.intent
  return event.shape === 'transaction' ? event.payload.intent.amount.value : undefined
}

async function refusal(forged: string | undefined): Promise<WebhookErrorCode | undefined> {
  try {
    await createVerifier({ secret }).verify(body, forged)
    return undefined
  } catch (error) {
    if (!WebhookError.is(error)) throw error
    return error.code
  }
}

async function main(): Promise<void> {
  const replay: ReplayStore = memoryReplayStore()
  const options: VerifierOptions = { secret, versions: ['v3'] }
  const verifier = createVerifier({ ...options, replay })
  let paid = 0
  const dispatcher = createDispatcher().on('transaction.purchase.successful', ({ payload }) => {
    paid += payload.intent.amount.value
  })
  const { outcome } = await verifier.receive(body, header, (webhook) => dispatcher.dispatch(webhook))
  strictEqual(outcome, 'handled')
  strictEqual(paid, 7.1)
  strictEqual(amountOf(verifySync(body, header, { secret })), 7.1)

  strictEqual(
    await refusal(header.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))),
    'ERR_SIGNATURE_MISMATCH',
  )
  strictEqual(await refusal(undefined), 'ERR_SIGNATURE_MISSING')

  const report = await explain(`${body}\n`, header, { secret })
  strictEqual(report.ok, false)
  strictEqual(typeof formatReport(report), 'string')
  strictEqual(sign(body, { secret, timestamp: Number(timestamp), versions: ['v3'] }), header)
  strictEqual(signedRequest(body, { secret }).method, 'POST')

  // @ts-expect-error: it is "secret"
  const misspelled: VerifierOptions = { sercet: secret }
  strictEqual(Object.keys(misspelled).length, 1)
  strictEqual(typeof createReceiver, 'function')
  strictEqual(typeof createNodeReceiver, 'function')
}

main().catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
