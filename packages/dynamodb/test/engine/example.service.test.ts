import { intentEvent, sign, transactionEvent } from '@service-signature/core/testing'
import { dynamoInbox } from '@service-signature/dynamodb'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { clientOf, createTable, useEngine } from './support/open.js'
import { isMissing } from '@service-signature/contract/services'

const SECRET = 'test_signature_key'
const engine = useEngine()

type Handler = (event: object, context: object) => Promise<{ readonly statusCode: number }>
let handler: Handler
const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)

beforeAll(async () => {
  const env = {
    ...{ AWS_REGION: 'local', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' },
    ...{ AWS_ENDPOINT_URL_DYNAMODB: engine().url, WEBHOOK_SECRET: SECRET },
    ...{ INBOX_TABLE: 'the-inbox', PAYMENTS_TABLE: 'the-payments' },
  }
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  const client = clientOf(engine())
  await dynamoInbox(client, { table: 'the-inbox' }).migrate()
  await createTable(client, 'the-payments', 'intent_id')
  const url = new URL('../../../../examples/dynamodb/lambda.js', import.meta.url)
  ;({ handler } = (await import(url.href)) as { handler: Handler })
  return () => {
    vi.unstubAllEnvs()
  }
})

describe.skipIf(isMissing('drivers'))('the Lambda function of the README', () => {
  it('books a valid delivery, and answers the same again without booking', async () => {
    const body = JSON.stringify(intentEvent())
    expect((await handler(eventOf(body), {})).statusCode).toBe(204)
    expect((await handler(eventOf(body), {})).statusCode).toBe(204)
    const { id, amount } = intentEvent().data.intent
    expect(log.mock.calls).toEqual([
      ['handled:', id],
      ['duplicate:', id],
    ])
    expect([...(await engine().items('the-payments')).values()]).toEqual([
      { intent_id: { S: id }, amount: { N: String(amount) } },
    ])
    expect((await engine().items('the-inbox')).size).toBe(1)
  })

  it.each([
    ['the other event of the payment', transactionEvent()],
    ['an intent that was not paid', intentEvent({ data: { intent: { status: 'FAILED' } } })],
  ])('acknowledges %s, and books nothing', async (_what, event) => {
    const booked = (await engine().items('the-payments')).size
    expect((await handler(eventOf(JSON.stringify(event)), {})).statusCode).toBe(204)
    expect((await engine().items('the-payments')).size).toBe(booked)
  })

  it('refuses a forged delivery without a call', async () => {
    const before = engine().calls.length
    const body = JSON.stringify(intentEvent())
    expect((await handler(eventOf(body, 'another_key'), {})).statusCode).toBe(401)
    expect(engine().calls).toHaveLength(before)
    expect(warn).toHaveBeenLastCalledWith(
      'ERR_SIGNATURE_MISMATCH',
      expect.stringMatching(/^The signature does not match/),
    )
  })

  it('fails if the transaction fails, books nothing, and books the retry', async () => {
    const body = JSON.stringify(intentEvent({ data: { intent: { id: 'int_retried' } } }))
    engine().before = (call) => {
      if (call === 'TransactWriteItems') {
        engine().before = () => undefined
        const type = 'com.amazonaws.dynamodb.v20120810#AccessDeniedException'
        throw Object.assign(new Error(), { statusCode: 400, body: { __type: type, message: 'no' } })
      }
    }
    // The gateway answers 500 or 502.
    await expect(handler(eventOf(body), {})).rejects.toMatchObject({ name: 'AccessDeniedException' })
    expect((await engine().items('the-inbox')).size).toBe(1)
    expect((await handler(eventOf(body), {})).statusCode).toBe(204)
    expect(log).toHaveBeenLastCalledWith('handled:', 'int_retried')
    expect((await engine().items('the-inbox')).size).toBe(2)
  })
})

/** An event of an HTTP API. */
function eventOf(body: string, secret = SECRET): object {
  const headers = { 'service-signature': sign(body, { secret }) }
  const requestContext = { http: { method: 'POST', path: '/webhooks' } }
  return { version: '2.0', rawPath: '/webhooks', headers, requestContext, body, isBase64Encoded: false }
}
