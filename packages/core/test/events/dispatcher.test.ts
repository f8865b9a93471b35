import { describe, expect, it } from 'vitest'
import {
  createDispatcher,
  verifySync,
  type Dispatcher,
  type EventPattern,
  type VerifiedWebhook,
} from '../../src/index.js'
import { intentEvent, sign, transactionEvent } from '../../src/testing.js'
import { now, secret, timestamp } from '../support/deliveries.js'

function webhookOf(payload: unknown): VerifiedWebhook {
  const body = JSON.stringify(payload)
  return verifySync(body, sign(body, { secret, timestamp }), { secret, now })
}

const purchase = webhookOf(transactionEvent())
const processed = webhookOf(intentEvent())
const unknown = webhookOf({ type: 'payout.sent' })
const misfit = webhookOf({ ...transactionEvent(), status_id: 5 })

/** Which of the patterns match the type. */
async function matching(type: string, patterns: readonly EventPattern[]): Promise<string[]> {
  const webhook = webhookOf(
    type.startsWith('intent.')
      ? intentEvent({ type: type as 'intent.processed' })
      : transactionEvent({ type: type as 'transaction.purchase.successful' }),
  )
  const called: string[] = []
  const dispatcher = createDispatcher()
  for (const pattern of patterns) dispatcher.on(pattern, () => called.push(pattern))
  await dispatcher.dispatch(webhook)
  return called
}

async function failureOf(dispatcher: Dispatcher, webhook: VerifiedWebhook): Promise<AggregateError> {
  const failure: unknown = await dispatcher.dispatch(webhook).then(
    () => 'nothing failed',
    (error: unknown) => error,
  )
  expect(failure).toBeInstanceOf(AggregateError)
  return failure as AggregateError
}

describe('patterns', () => {
  it.each<[type: string, patterns: EventPattern[]]>([
    [
      'transaction.purchase.successful',
      [
        'transaction.purchase.successful',
        'transaction.*.successful',
        'transaction.purchase.*',
        'transaction.*.*',
        'transaction.*',
        '*.purchase.successful',
        '*',
      ],
    ],
    ['transaction.purchase', ['transaction.*', 'transaction.purchase', '*']],
    ['transaction.purchase.3ds.failed', ['transaction.purchase.*', 'transaction.*.*', 'transaction.*', '*']],
    ['transaction.refund.successful', ['transaction.*.successful', 'transaction.*.*', 'transaction.*', '*']],
    ['intent.processed', ['intent.*', 'intent.processed', '*']],
    ['intent.processed.late', ['intent.*', '*']],
  ])('%s is for its own patterns and no others', async (type, expected) => {
    const all: EventPattern[] = [
      'transaction.purchase.successful',
      'transaction.*.successful',
      'transaction.purchase.*',
      'transaction.*.*',
      'transaction.*',
      'transaction.purchase',
      'intent.*',
      'intent.processed',
      '*.purchase.successful',
      '*',
    ]
    expect((await matching(type, all)).sort()).toEqual(expected.sort())
  })

  it('are no regular expressions', async () => {
    expect(await matching('transaction.purchaseXsuccessful', ['transaction.purchase.successful'])).toEqual([])
    expect(await matching('transaction.toString', ['transaction.__proto__'])).toEqual([])
  })

  it.each([
    ['', 'The pattern "" can match nothing: types begin with "transaction." or "intent."'],
    ['transactoin.*', 'The pattern "transactoin.*" can match nothing: types begin with'],
    ['Intent.processed', 'The pattern "Intent.processed" can match nothing: types begin with'],
    ['payout.sent', 'The pattern "payout.sent" can match nothing: types begin with'],
    ['constructor.x', 'The pattern "constructor.x" can match nothing: types begin with'],
    ['intent', 'The pattern "intent" can match nothing: for the whole family write "intent.*"'],
    ['intent.', 'The pattern "intent." can match nothing: it has an empty segment'],
    ['transaction..successful', 'The pattern "transaction..successful" can match nothing: it has an empty'],
    [
      'transaction.purch*',
      'The pattern "transaction.purch*" can match nothing: * stands for a whole segment',
    ],
    ['**', 'The pattern "**" can match nothing: types begin with'],
    [undefined, 'A pattern must be a string, and is of type undefined'],
  ])('that can match nothing are refused: %s', (pattern, message) => {
    const add = () => createDispatcher().on(pattern as EventPattern, () => undefined)
    expect(add).toThrow(TypeError)
    expect(add).toThrow(message)
  })
})

describe('handlers', () => {
  it('get the delivery, with what its event says at hand', async () => {
    const given: unknown[] = []
    const dispatcher = createDispatcher()
      .on('transaction.purchase.successful', (webhook) => given.push(webhook))
      .on('intent.processed', (webhook) => given.push(webhook))
      .otherwise((webhook) => given.push(webhook))
    for (const webhook of [purchase, processed, unknown]) await dispatcher.dispatch(webhook)
    expect(given).toEqual([purchase, processed, unknown].map((webhook) => ({ ...webhook, ...webhook.event })))
    expect(given[0]).toMatchObject({ event: purchase.event, payload: purchase.event.payload, timestamp })
  })

  it('run side by side, and all are waited for', async () => {
    const steps: string[] = []
    let letGo = (): void => undefined
    const gate = new Promise<void>((resolve) => (letGo = resolve))
    const done = createDispatcher()
      .on('intent.*', async () => {
        steps.push('first begins')
        await gate
        steps.push('first ends')
      })
      .on('intent.processed', () => {
        steps.push('second')
        letGo()
      })
      .dispatch(processed)
      .then(() => steps.push('dispatched'))
    await done
    expect(steps).toEqual(['first begins', 'second', 'first ends', 'dispatched'])
  })

  it('run twice when they were added twice', async () => {
    let calls = 0
    const handler = () => ++calls
    await createDispatcher().on('intent.*', handler).on('intent.*', handler).dispatch(processed)
    expect(calls).toBe(2)
  })

  it('of one dispatcher are not those of another', async () => {
    createDispatcher().on('*', () => expect.fail('this is for another dispatcher'))
    await expect(createDispatcher().dispatch(processed)).resolves.toBe('unhandled')
  })

  it.each([undefined, null, 'log', {}])('are functions, and %s is none', (handler) => {
    expect(() => createDispatcher().on('*', handler as never)).toThrow(
      /^A handler must be a function, and is/,
    )
    expect(() => createDispatcher().otherwise(handler as never)).toThrow(TypeError)
  })
})

describe('otherwise', () => {
  it('takes what no pattern matches, and all that is unrecognized', async () => {
    const taken: (string | undefined)[] = []
    const dispatcher = createDispatcher()
      .on('transaction.*', () => undefined)
      .otherwise(({ shape, event }) => taken.push(`${shape} ${event.type ?? ''}`))
    for (const webhook of [purchase, processed, unknown, misfit]) await dispatcher.dispatch(webhook)
    expect(taken).toEqual([
      'intent intent.processed',
      'unrecognized payout.sent',
      'unrecognized transaction.purchase.successful',
    ])
  })

  it('is not called where a handler failed', async () => {
    const dispatcher = createDispatcher()
      .on('*', () => Promise.reject(new Error('database down')))
      .otherwise(() => expect.fail('somebody handles this'))
    await failureOf(dispatcher, purchase)
  })

  it('may be missing: what nobody handles is acknowledged', async () => {
    await expect(createDispatcher().dispatch(unknown)).resolves.toBe('unhandled')
  })

  it('fails like any handler', async () => {
    const cause = new Error('disk full')
    const failure = await failureOf(
      createDispatcher().otherwise(() => {
        throw cause
      }),
      unknown,
    )
    expect(failure.errors).toMatchObject([{ pattern: 'otherwise', cause }])
  })
})

describe('handlers that fail', () => {
  it('are told together, each with its pattern, and keep no other from its end', async () => {
    const thrown = new Error('database down')
    let isDone = false
    const dispatcher = createDispatcher()
      .on('transaction.*', () => {
        throw thrown
      })
      .on('transaction.purchase.*', () => Promise.reject(new TypeError('no such order')))
      .on('*', async () => {
        await Promise.resolve()
        isDone = true
      })
    const failure = await failureOf(dispatcher, purchase)
    expect(isDone).toBe(true)
    expect(failure.message).toBe('2 of 3 handlers failed: "transaction.*", "transaction.purchase.*"')
    expect(failure.errors).toMatchObject([
      { pattern: 'transaction.*', cause: thrown },
      { pattern: 'transaction.purchase.*', cause: { message: 'no such order' } },
    ])
    expect(failure.errors.map(String)).toEqual([
      'Error: The handler of "transaction.*" failed: database down',
      'Error: The handler of "transaction.purchase.*" failed: no such order',
    ])
  })

  it('may throw anything', async () => {
    const failure = await failureOf(
      createDispatcher().on('*', () => Promise.reject(Object.create(null) as Error)),
      purchase,
    )
    expect(failure.errors.map(String)).toEqual(['Error: The handler of "*" failed'])
  })
})

it('dispatch says what it takes', async () => {
  const wrong = purchase.event as unknown as VerifiedWebhook
  await expect(createDispatcher().dispatch(wrong)).rejects.toThrow(
    new TypeError('dispatch takes a verified webhook, as verify resolves to it'),
  )
  await expect(createDispatcher().dispatch(undefined as unknown as VerifiedWebhook)).rejects.toThrow(
    TypeError,
  )
})
