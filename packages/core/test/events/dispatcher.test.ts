import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import {
  createDispatcher,
  deliveryKey,
  type Dispatcher,
  type EventPattern,
  recognize,
  type VerifiedWebhook,
  verifySync,
  WebhookError,
} from '../../src/entries/index.js'
import { intentEvent, sign, transactionEvent, verifiedWebhook } from '../../src/entries/testing.js'
import { now, secret, timestamp } from '../support/deliveries.js'
import { HANDLERS, OUTCOMES, PAYLOADS, registered } from '../support/dispatching.js'

function webhookOf(payload: unknown): VerifiedWebhook {
  const body = JSON.stringify(payload)
  return verifySync(body, sign(body, { secret, timestamp }), { secret, now })
}

const purchase = webhookOf(transactionEvent())
const processed = webhookOf(intentEvent())
const unknown = webhookOf({ type: 'payout.sent' })
const invalid = webhookOf({ ...transactionEvent(), status_id: 5 })

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

async function failureOf(dispatcher: Dispatcher, webhook: VerifiedWebhook): Promise<unknown> {
  return dispatcher.dispatch(webhook).then(
    () => 'nothing failed',
    (error: unknown) => error,
  )
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
    ['transaction.purchase', ['transaction.*', '*']],
    ['transaction.purchase.3ds.failed', ['transaction.purchase.*', 'transaction.*.*', 'transaction.*', '*']],
    ['transaction.refund.successful', ['transaction.*.successful', 'transaction.*.*', 'transaction.*', '*']],
    ['intent.processed', ['intent.*', 'intent.processed', '*']],
    ['intent.processed.late', ['intent.*', '*']],
  ])('%s matches its own patterns and no others', async (type, expected) => {
    const all: EventPattern[] = [
      'transaction.purchase.successful',
      'transaction.*.successful',
      'transaction.purchase.*',
      'transaction.*.*',
      'transaction.*',
      'intent.*',
      'intent.processed',
      '*.purchase.successful',
      '*',
    ]
    expect((await matching(type, all)).sort()).toEqual(expected.sort())
  })

  it('are not regular expressions', async () => {
    expect(await matching('transaction.purchaseXsuccessful', ['transaction.purchase.successful'])).toEqual([])
    expect(await matching('transaction.toString', ['transaction.__proto__'])).toEqual([])
  })

  it('of an unknown family match its events, but "*" does not', async () => {
    const called: string[] = []
    const dispatcher = createDispatcher()
      .on('payout.*', ({ receivedType, reason, payload }) =>
        called.push(receivedType, reason, typeof payload),
      )
      .on('*', () => called.push('*'))
      .on('*.sent', () => called.push('*.sent'))
    await expect(dispatcher.dispatch(unknown)).resolves.toBe('handled')
    expect(called).toEqual(['payout.sent', 'unknown-type', 'object'])
  })

  it.each([
    ['', 'it has an empty segment'],
    ['intent.', 'it has an empty segment'],
    ['transaction..successful', 'it has an empty segment'],
    ['intent', 'for the whole family write "intent.*"'],
    ['payout', 'for the whole family write "payout.*"'],
    ['transaction.purch*', '* stands for a whole segment'],
    ['**', '* stands for a whole segment'],
    ['payout.sent ', 'types have no white space'],
    ['Intent.processed', 'did you mean "intent.processed"?'],
    ['intent.procesed', 'did you mean "intent.processed"?'],
    ['intent.porcessed', 'did you mean "intent.processed"?'],
    ['transaction.purchase.sucessful', 'did you mean "transaction.purchase.successful"?'],
    ['transaction.purchase.successful ', 'did you mean "transaction.purchase.successful"?'],
    ['transaction.purchase.success', 'did you mean "transaction.purchase.successful"?'],
    ['transaction.purchase.faild', 'did you mean "transaction.purchase.failed"?'],
    ['purchase.successful', 'did you mean "transaction.purchase.successful"?'],
    ['transaction.purchase', 'did you mean "transaction.purchase.*"?'],
    ['transaction.purhcase.*', 'did you mean "transaction.purchase.*"?'],
    ['transaction.*.succesful', 'did you mean "transaction.*.successful"?'],
    ['*.purchase.succesful', 'did you mean "*.purchase.successful"?'],
    ['transactoin.*', 'did you mean "transaction.*"?'],
    ['transactions.refund.failed', 'did you mean "transaction.refund.failed"?'],
    ['Transaction', 'did you mean "transaction.*"?'],
  ])('that can match nothing are rejected with the reason: %s', (pattern, why) => {
    expect(() => createDispatcher().on(pattern as EventPattern, () => undefined)).toThrow(
      new TypeError(`The pattern "${pattern}" can match nothing: ${why}`),
    )
  })

  it.each([
    'transaction.purchase.unsuccessful',
    'transaction.purchase.failed',
    'transaction.refund.successful',
    'intent.processing',
    'intent.canceled',
    'client.created',
    'content.created',
    'constructor.x',
  ] as const)('of types that are not known are accepted: %s', (pattern) => {
    expect(() => createDispatcher().on(pattern, () => undefined)).not.toThrow()
  })

  it('must be strings', () => {
    const add = () => createDispatcher().on(undefined as unknown as '*', () => undefined)
    expect(add).toThrow(new TypeError('The pattern must be a string, got undefined'))
  })
})

describe('handlers', () => {
  it('get the delivery and the fields of its event', async () => {
    const given: unknown[] = []
    const dispatcher = createDispatcher()
      .on('transaction.purchase.successful', (webhook) => given.push(webhook))
      .on('intent.processed', (webhook) => given.push(webhook))
      .otherwise((webhook) => given.push(webhook))
    for (const webhook of [purchase, processed, unknown]) await dispatcher.dispatch(webhook)
    expect(given).toEqual([purchase, processed, unknown].map((webhook) => ({ ...webhook, ...webhook.event })))
    expect(given[0]).toMatchObject({ event: purchase.event, payload: purchase.event.payload, timestamp })
  })

  it('run concurrently, and dispatch waits for all of them', async () => {
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

  it('run twice if they were added twice', async () => {
    let calls = 0
    const handler = () => ++calls
    await createDispatcher().on('intent.*', handler).on('intent.*', handler).dispatch(processed)
    expect(calls).toBe(2)
  })

  it('belong to one dispatcher only', async () => {
    createDispatcher().on('*', () => expect.fail('this is for another dispatcher'))
    await expect(createDispatcher().dispatch(processed)).resolves.toBe('unhandled')
  })

  it.each([undefined, null, 'log', {}])('must be functions: %s is rejected', (handler) => {
    expect(() => createDispatcher().on('*', handler as never)).toThrow(/^The handler must be a function, got/)
    expect(() => createDispatcher().otherwise(handler as never)).toThrow(TypeError)
  })
})

describe('otherwise', () => {
  it('gets events that no pattern matches, and all unrecognized events', async () => {
    const got: (string | undefined)[] = []
    const dispatcher = createDispatcher()
      .on('transaction.*', () => undefined)
      .otherwise(({ shape, event }) =>
        got.push(
          `${shape} ${event.shape === 'unrecognized' ? `${event.reason} ${event.receivedType!}` : event.type}`,
        ),
      )
    for (const webhook of [purchase, processed, unknown, invalid]) await dispatcher.dispatch(webhook)
    expect(got).toEqual([
      'intent intent.processed',
      'unrecognized unknown-type payout.sent',
      'unrecognized invalid-payload transaction.purchase.successful',
    ])
  })

  it('is not called if a handler failed', async () => {
    const dispatcher = createDispatcher()
      .on('*', () => Promise.reject(new Error('database down')))
      .otherwise(() => expect.fail('another handler is for this'))
    expect(await failureOf(dispatcher, purchase)).toEqual(new Error('database down'))
  })
})

describe('no event is lost', () => {
  const rows = PAYLOADS.flatMap((what, i) =>
    HANDLERS.map((handler, j) => [what, handler, OUTCOMES[i]![j]!] as const),
  )

  it.each(rows)('%s, handlers: %s -> %s', async (what, handler, expected) => {
    const payloads = {
      recognized: transactionEvent(),
      invalid: invalid.event.payload,
      unknown: { type: 'payout.sent' },
    }
    const called: string[] = []
    const dispatcher = registered(createDispatcher(), handler, (name) => called.push(name))
    const outcome = await dispatcher.dispatch(webhookOf(payloads[what])).catch((error: unknown) => error)
    const actual = WebhookError.is(outcome) ? outcome.code : outcome
    expect([actual, ...called]).toEqual(expected)
  })

  it('the error names the first invalid fields without their values', async () => {
    const payload = {
      ...transactionEvent(),
      account: {},
      status_id: 5,
      intent: 'confidential',
      api_version: [],
    }
    const error = await failureOf(
      createDispatcher().on('transaction.*', () => undefined),
      webhookOf(payload),
    )
    expect(error).toMatchObject({
      code: 'ERR_EVENT_INVALID',
      status: 500,
      retryable: true,
      message:
        'A handler is registered for this event, but the payload is invalid: ' +
        'intent must be an object, got a string; account.id is missing; status_id must be a string, got a number; ' +
        'and 1 more. A retry fails too. To acknowledge such events, or to handle them, add "otherwise" to the dispatcher.',
    })
  })

  it.each([['[]'], ['{"type":null}'], ['"text"']])(
    'a payload without a type is unhandled: %s',
    async (body) => {
      const webhook = webhookOf(JSON.parse(body))
      await expect(
        createDispatcher()
          .on('*', () => undefined)
          .dispatch(webhook),
      ).resolves.toBe('unhandled')
    },
  )

  it('an invalid payload whose type matches no pattern is unhandled', async () => {
    const dispatcher = createDispatcher().on('intent.*', () => undefined)
    await expect(dispatcher.dispatch(invalid)).resolves.toBe('unhandled')
  })
})

describe('a handler with a schema', () => {
  const order = v.object({
    intent: v.object({ custom_fields: v.object({ order: v.pipe(v.string(), v.transform(Number)) }) }),
  })
  const withOrder = (custom_fields: object) => webhookOf(transactionEvent({ intent: { custom_fields } }))

  it('gets the payload as the schema returns it, and the event as it was sent', async () => {
    const seen: unknown[] = []
    const dispatcher = createDispatcher().on(
      'transaction.*',
      { schema: order },
      ({ payload, event, timestamp: at }) =>
        seen.push(payload, event.payload.intent.custom_fields?.['order'], at),
    )
    await expect(dispatcher.dispatch(withOrder({ order: '1010' }))).resolves.toBe('handled')
    expect(seen).toEqual([{ intent: { custom_fields: { order: 1010 } } }, '1010', timestamp])
  })

  it('gives a type to events of an unknown family', async () => {
    const sent = v.object({ type: v.literal('payout.sent'), amount: v.number() })
    const amounts: number[] = []
    const dispatcher = createDispatcher().on('payout.*', { schema: sent }, ({ payload }) =>
      amounts.push(payload.amount),
    )
    await dispatcher.dispatch(webhookOf({ type: 'payout.sent', amount: 5 }))
    expect(amounts).toEqual([5])
    expect(await failureOf(dispatcher, unknown)).toMatchObject({ code: 'ERR_EVENT_INVALID' })
  })

  it('is not called with another payload, which fails without its values, and no other handler runs', async () => {
    const called: string[] = []
    const dispatcher = createDispatcher()
      .on('*', () => called.push('*'))
      .on('transaction.*', { schema: order }, () => called.push('with a schema'))
    const error = await failureOf(dispatcher, withOrder({ order: 77 }))
    expect(error).toMatchObject({ code: 'ERR_EVENT_INVALID', status: 500 })
    expect(String(error)).toContain(': intent.custom_fields.order does not match the schema of a handler. ')
    expect(String(error)).not.toContain('77')
    expect(called).toEqual([])
  })

  it('leaves another payload to otherwise, and to the handlers that take it', async () => {
    const called: string[] = []
    const dispatcher = createDispatcher()
      .on('*', () => called.push('*'))
      .on('transaction.*', { schema: order }, () => called.push('with a schema'))
      .otherwise(() => called.push('otherwise'))
    await expect(dispatcher.dispatch(withOrder({ order: 77 }))).resolves.toBe('handled')
    expect(called).toEqual(['*', 'otherwise'])
  })

  it('may have a schema that answers later, and paths of objects', async () => {
    const validate = (value: unknown) =>
      Promise.resolve(
        (value as { type: string }).type === 'payout.sent'
          ? { value: 'parsed' as const }
          : { issues: [{ message: 'secret value', path: [{ key: 'items' }, 0] }] },
      )
    const schema = { '~standard': { version: 1 as const, vendor: 'test', validate } }
    const seen: unknown[] = []
    const dispatcher = createDispatcher().on('payout.*', { schema }, ({ payload }) => seen.push(payload))
    await dispatcher.dispatch(recognize({ type: 'payout.sent' }))
    expect(seen).toEqual(['parsed'])
    const error = await failureOf(dispatcher, webhookOf({ type: 'payout.failed' }))
    expect(String(error)).toContain('items.0 does not match')
    expect(String(error)).not.toContain('secret value')
  })

  it('of an event without its delivery has no fields of the delivery', async () => {
    const dispatcher = createDispatcher().on('*', { schema: order }, ({ rawBody }) => rawBody)
    const { event } = withOrder({ order: '1010' })
    expect(String(await failureOf(dispatcher, event as never))).toContain('"rawBody" is unknown')
  })

  it('must be a schema', () => {
    const dispatcher = createDispatcher()
    for (const options of [{}, { schema: {} }, { schema: null }, undefined, order]) {
      expect(() => dispatcher.on('*', options as never, () => undefined)).toThrow(
        /^"schema" must have Standard Schema, as those of zod, valibot and arktype do, got /,
      )
    }
    expect(() => dispatcher.on('*', { schema: order }, undefined as never)).toThrow(
      'The handler must be a function',
    )
  })
})

describe('handlers that fail', () => {
  it.each([[new Error('database down')], ['text'], [undefined], [Object.create(null) as unknown]])(
    'alone: the same error is rethrown after the other handlers have ended: %o',
    async (thrown: unknown) => {
      let isDone = false
      const dispatcher = createDispatcher()
        .on('transaction.*', () => Promise.reject(thrown as Error))
        .on('*', async () => {
          await Promise.resolve()
          isDone = true
        })
      expect(await failureOf(dispatcher, purchase)).toBe(thrown)
      expect(isDone).toBe(true)
    },
  )

  it('are reported together, with the message of each, and the first as the cause', async () => {
    const first = new Error('database down')
    const second = new TypeError('no such order')
    const text: unknown = 'out of paper'
    const failure = await failureOf(
      createDispatcher()
        .on('transaction.*', () => {
          throw first
        })
        .on('transaction.purchase.*', () => Promise.reject(second))
        .on('*', () => undefined)
        .on('transaction.*.successful', () => {
          throw Object.create(null)
        })
        .on('*.purchase.successful', () => Promise.reject(text as Error)),
      purchase,
    )
    expect(failure).toBeInstanceOf(AggregateError)
    const { message, errors, cause, stack } = failure as AggregateError
    expect(message).toBe(
      '4 of 5 handlers failed. "transaction.*": Error: database down; ' +
        '"transaction.purchase.*": TypeError: no such order; ' +
        '"transaction.*.successful": a value was thrown that is not an Error; "*.purchase.successful": out of paper',
    )
    // Express and Koa log the stack alone.
    expect(stack).toContain('database down')
    expect(errors.slice(0, 2)).toEqual([first, second])
    expect(errors[0]).toBe(first)
    expect(cause).toBe(first)
  })

  it('of otherwise are reported in the same way', async () => {
    const error = new Error('disk full')
    const dispatcher = createDispatcher().otherwise(() => Promise.reject(error))
    expect(await failureOf(dispatcher, unknown)).toBe(error)
  })
})

describe('dispatch', () => {
  it('accepts an event without its delivery, as in a queue worker', async () => {
    const given: unknown[] = []
    const dispatcher = createDispatcher()
      .on('transaction.purchase.successful', ({ event, payload }) => given.push(event, payload.intent.id))
      .otherwise(({ event }) => given.push(event))
    const payload = JSON.parse(JSON.stringify(transactionEvent())) as unknown
    await expect(dispatcher.dispatch(recognize(payload))).resolves.toBe('handled')
    await expect(dispatcher.dispatch(unknown.event)).resolves.toBe('handled')
    expect(given).toEqual([purchase.event, transactionEvent().intent.id, unknown.event])
  })

  it.each(['timestamp', 'signedAt', 'versions', 'rawBody', 'secretIndex', 'keyFingerprint'] as const)(
    'of an event alone: a handler that reads "%s" fails with the reason',
    async (name) => {
      const dispatcher = createDispatcher().on('*', (webhook) => webhook[name])
      await expect(dispatcher.dispatch(purchase)).resolves.toBe('handled')
      await expect(dispatcher.dispatch(purchase.event)).rejects.toThrow(
        new TypeError(`"${name}" is unknown: the event was dispatched without its delivery`),
      )
    },
  )

  it.each([[undefined], [transactionEvent()], [{ event: {} }], ['text']])(
    'rejects anything else: %#',
    async (given) => {
      await expect(createDispatcher().dispatch(given as never)).rejects.toThrow(
        new TypeError(
          'dispatch: expected a verified webhook or an event. Make an event of a payload with recognize(payload)',
        ),
      )
    },
  )
})

describe('the delivery that a handler gets', () => {
  const schema = v.looseObject({})

  it('has the key of the webhook that was dispatched, with and without a schema', async () => {
    const keys: Promise<string>[] = []
    const dispatcher = createDispatcher()
      .on('*', (webhook) => keys.push(deliveryKey(webhook)))
      .on('transaction.*', { schema }, (webhook) => keys.push(deliveryKey(webhook)))
    await dispatcher.dispatch(purchase)
    const key = await deliveryKey(purchase)
    expect(await Promise.all(keys)).toEqual([key, key])
  })

  it('has no key if its event was dispatched alone', async () => {
    const dispatcher = createDispatcher().on('*', deliveryKey)
    await expect(dispatcher.dispatch(purchase.event)).rejects.toThrow(
      'expected a webhook as verify() returned it',
    )
  })
})

describe('verifiedWebhook', () => {
  it('makes webhooks that have keys, the same for the same event', async () => {
    const key = await deliveryKey(verifiedWebhook(transactionEvent()))
    expect(key).toMatch(/^[0-9a-f]{64}$/)
    expect(await deliveryKey(verifiedWebhook(transactionEvent()))).toBe(key)
    expect(await deliveryKey(verifiedWebhook(intentEvent()))).not.toBe(key)
  })

  it('makes the argument of a handler from a payload or an event', async () => {
    const webhook = verifiedWebhook(transactionEvent({ intent: { id: 'int_1' } }))
    expect(webhook.payload.intent.id).toBe('int_1')
    expect(verifiedWebhook(recognize(intentEvent()))).toEqual(verifiedWebhook(intentEvent()))
    expect(Object.keys(webhook).sort()).toEqual(Object.keys({ ...purchase, ...purchase.event }).sort())
    expect(JSON.parse(Buffer.from(webhook.rawBody).toString())).toEqual(webhook.payload)
    await expect(
      createDispatcher()
        .on('*', () => 1)
        .dispatch(webhook),
    ).resolves.toBe('handled')
  })

  it('rejects a payload that no handler would get', () => {
    expect(() => verifiedWebhook({ ...transactionEvent(), account: {} } as never)).toThrow(
      new TypeError('verifiedWebhook: the payload is not recognized: account.id is missing'),
    )
    expect(verifiedWebhook(recognize({ type: 'payout.sent' }))).toMatchObject({ receivedType: 'payout.sent' })
  })
})
