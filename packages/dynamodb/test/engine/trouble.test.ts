import { DynamoDBServiceException, UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb'
import { newWebhook } from '@service-signature/contract/inbox-cases'
import { serviceSignature } from '@service-signature/lambda'
import { sign } from '@service-signature/core/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { clientOf, createTable, DOCUMENT, open, PLAIN, useEngine } from './support/open.js'

const engine = useEngine()
const ONCE = { maxAttempts: 1 }

afterEach(() => {
  engine().before = () => undefined
  engine().after = () => undefined
})

/** An answer with an error of DynamoDB. */
function failWith(type: string, call = 'PutItem'): void {
  engine().before = (made) => {
    if (made !== call) return
    const body = { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'of the test' }
    throw Object.assign(new Error(type), { statusCode: 400, body })
  }
}

describe.each([PLAIN, DOCUMENT])('over $name', (library) => {
  it.each([
    ['AccessDeniedException', 'the role needs dynamodb:PutItem and dynamodb:DeleteItem'],
    ['ExpiredTokenException', 'the AWS credentials have expired'],
    ['UnrecognizedClientException', 'the AWS credentials are not valid'],
    ['ProvisionedThroughputExceededException', 'the table is throttled'],
    ['ThrottlingException', 'the table is throttled'],
    ['InternalServerError', 'DynamoDB failed before the handler was called'],
  ])('refuses a delivery with 503 and the fix after %s, before the handler', async (type, fix) => {
    const { inbox } = await open(engine(), library, {}, ONCE)
    failWith(type)
    const handler = vi.fn()
    const onRejected = vi.fn()
    const endpoint = serviceSignature({ secret: 'secret', replay: inbox, onRejected }, handler)
    const body = JSON.stringify({ id: type })
    const headers = { 'service-signature': sign(body, { secret: 'secret' }) }
    const event = { version: '2.0', headers, body, isBase64Encoded: false, requestContext: { http: {} } }
    expect(await endpoint(event as never, {})).toMatchObject({ statusCode: 503 })
    expect(handler).not.toHaveBeenCalled()
    const expected = { code: 'ERR_REPLAY_STORE_UNAVAILABLE', status: 503, retryAfterSeconds: 10 }
    await expect(inbox.claim('key')).rejects.toMatchObject({
      ...expected,
      message: expect.stringContaining(fix) as string,
      cause: expect.any(DynamoDBServiceException) as object,
    })
  })

  it('names the fix if the table is missing', async () => {
    const { make } = await open(engine(), library)
    const missing = make({ table: 'missing' })
    await expect(missing.claim('key')).rejects.toThrow(
      'the table of the inbox does not exist in this region; run inbox.migrate() or create it with your stack',
    )
    await expect(missing.commit('key', 'token')).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
    await expect(missing.release('key', 'token')).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
  })

  it('names the fix if the table has another key', async () => {
    const { make } = await open(engine(), library)
    const wrong = make({ table: 'payments' })
    await expect(wrong.claim('key')).rejects.toThrow(
      'the table must have "key" (string) as its partition key',
    )
  })

  it('refuses while DynamoDB is away, and works when it is back', async () => {
    const { inbox, book, booked, table } = await open(engine(), library, {}, ONCE)
    const webhook = newWebhook()
    await engine().kill()
    await expect(inbox.claim('key')).rejects.toMatchObject({ code: 'ERR_REPLAY_STORE_UNAVAILABLE' })
    await expect(book(webhook, table)).rejects.toThrow('ECONNREFUSED')
    await engine().restart()
    expect((await inbox.claim('key')).status).toBe('new')
    expect(await book(webhook, table)).toBe('handled')
    expect(await booked(table)).toBe(true)
  })

  it('stops waiting after timeoutSeconds, and aborts the request', async () => {
    const { inbox, make, table } = await open(engine(), library, {}, ONCE)
    let end = (): void => undefined
    engine().before = (call) =>
      call === 'PutItem' ? new Promise<void>((resolve) => (end = resolve)) : undefined
    const impatient = make({ table, timeoutSeconds: 0.05 })
    await expect(impatient.claim('key')).rejects.toMatchObject({
      code: 'ERR_REPLAY_STORE_UNAVAILABLE',
      cause: { message: 'DynamoDB did not answer within 0.05 s' },
    })
    engine().before = () => undefined
    // It is executed late. Its lease ends the claim.
    end()
    await vi.waitFor(async () => {
      expect((await inbox.claim('key')).status).toBe('in-progress')
    })
    await engine().age(table, 62)
    expect((await inbox.claim('key')).status).toBe('new')
  })

  it('keeps a claim whose answer was lost until its lease ends', async () => {
    const { inbox, advance } = await open(engine(), library, {}, ONCE)
    engine().after = (call) => call !== 'PutItem'
    await expect(inbox.claim('key')).rejects.toMatchObject({ code: 'ERR_REPLAY_STORE_UNAVAILABLE' })
    engine().after = () => undefined
    expect((await inbox.claim('key')).status).toBe('in-progress')
    await advance(62)
    expect((await inbox.claim('key')).status).toBe('new')
  })
})

describe('migrate', () => {
  it('may be called again, by several processes at once, and keeps the data', async () => {
    const { inbox, other, items, table } = await open(engine(), PLAIN)
    await inbox.claim('key')
    await Promise.all([inbox.migrate(), other.migrate(), inbox.migrate()])
    expect((await items()).size).toBe(1)
    const [client] = [clientOf(engine())]
    const { make } = await open(engine(), PLAIN)
    const fresh = [make({ table: 'fresh' }), make({ table: 'fresh' })]
    await Promise.all(fresh.map((each) => each.migrate()))
    // Time to live is on: DynamoDB refuses to turn it on again.
    for (const TableName of [table, 'fresh']) {
      const TimeToLiveSpecification = { AttributeName: 'expires_at', Enabled: true }
      const again = client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }))
      await expect(again).rejects.toThrow('TimeToLive is active on the attribute expires_at')
    }
  })

  it('rejects if another process has turned time to live on for another attribute', async () => {
    const client = clientOf(engine())
    const { make } = await open(engine(), PLAIN)
    await createTable(client, 'other-ttl', 'key')
    const TimeToLiveSpecification = { AttributeName: 'until', Enabled: true }
    await client.send(new UpdateTimeToLiveCommand({ TableName: 'other-ttl', TimeToLiveSpecification }))
    await expect(make({ table: 'other-ttl' }).migrate()).rejects.toThrow('is active on the attribute until')
  })

  it('accepts that another process turns time to live on at the same moment', async () => {
    const { make } = await open(engine(), PLAIN)
    const [one, two] = [make({ table: 'at-once' }), make({ table: 'at-once' })]
    engine().before = async (call) => {
      if (call !== 'UpdateTimeToLive') return
      engine().before = () => undefined
      await two.migrate()
    }
    await one.migrate()
    expect((await one.claim('key')).status).toBe('new')
  })

  it('passes on why it may not create the table', async () => {
    const { make } = await open(engine(), PLAIN, {}, ONCE)
    failWith('AccessDeniedException', 'CreateTable')
    const { calls } = engine()
    const before = calls.length
    await expect(make({ table: 'forbidden' }).migrate()).rejects.toMatchObject({
      name: 'AccessDeniedException',
    })
    expect(calls.slice(before)).toEqual(['CreateTable'])
  })
})
