import type { LookupAddress } from 'node:dns'
import { describe, expect, it } from 'vitest'
import { manualClock } from '../src/index.js'
import { attempt } from '../src/deliveries/attempts.js'
import { Targets, type Lookup } from '../src/deliveries/target.js'
import { Delivery } from '../src/deliveries/delivery.js'
import { Endpoint } from './support/endpoint.js'
import { Service } from './support/service.js'

const OUTSIDE = 'must lead to this machine, unless the sandbox is started with allowRemote'

/** A name server: each name has the answers of this list, one after the other. */
function names(zones: Readonly<Record<string, readonly (readonly string[])[]>>): Lookup {
  const asked = new Map<string, number>()
  return (hostname, _options, callback) => {
    const count = asked.get(hostname) ?? 0
    asked.set(hostname, count + 1)
    const answer = zones[hostname]?.[count]
    if (answer === undefined) {
      callback(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), [])
    } else {
      callback(
        null,
        answer.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
      )
    }
  }
}

function delivery(url: string): Delivery {
  return new Delivery({
    id: 'dlv',
    type: 'intent.processed',
    scope: { accountId: 'acc', isLive: false },
    intentId: 'int',
    source: 'payment',
    forgeries: [],
    isRetried: true,
    url,
    body: '{}',
    created: 0,
    status: 'pending',
    retries: 0,
    attempts: [],
  })
}

function deliver(targets: Targets, url: string) {
  const tools = { clock: manualClock(), targets, sign: () => 'a signature' }
  return attempt(tools, delivery(url), [], new AbortController().signal)
}

describe('webhook_url', () => {
  it.each([
    'http://127.0.0.1:3000/webhooks',
    'https://127.0.0.1/',
    'http://127.1/',
    'http://0x7f.0.0.1/',
    'http://2130706433/',
    'http://127.255.255.254/',
    'http://[::1]:3000/',
    'http://localhost:3000/',
    'http://both.test/',
  ])('%s leads to this machine', async (url) => {
    const ask = names({ localhost: [['127.0.0.1']], 'both.test': [['127.0.0.1', '::1']] })
    expect(await new Targets(false, ask).problemOf(url)).toBeUndefined()
  })

  it.each([
    'http://10.0.0.1/',
    'http://192.0.2.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://0.0.0.0:3000/',
    'http://0/',
    'http://128.0.0.1/',
    'http://[::]/',
    'http://[::ffff:10.0.0.1]/',
    'http://[2001:db8::1]/',
    'http://outside.test/',
    'http://mixed.test/',
    'http://127.0.0.1.outside.test/',
  ])('%s does not', async (url) => {
    const ask = names({
      'outside.test': [['192.0.2.1']],
      'mixed.test': [['127.0.0.1', '192.0.2.1']],
      '127.0.0.1.outside.test': [['192.0.2.1']],
    })
    expect(await new Targets(false, ask).problemOf(url)).toBe(OUTSIDE)
    expect(await new Targets(true, ask).problemOf(url)).toBeUndefined()
  })

  it('a name that leads nowhere is refused', async () => {
    const targets = new Targets(false, names({}))
    expect(await targets.problemOf('http://nowhere.test/')).toBe('has a host name that leads nowhere')
  })

  it.each([true, false])('a user name and a password are refused, allowRemote %s', async (allowRemote) => {
    const targets = new Targets(allowRemote, names({}))
    for (const url of ['http://jane@127.0.0.1/', 'http://:word@127.0.0.1/', 'http://jane:word@127.0.0.1/']) {
      expect(await targets.problemOf(url)).toBe('must not hold a user name or a password')
    }
  })

  it('of an intent is refused outside this machine, and nothing is made', async () => {
    const service = await Service.start()
    const { code, status } = await service.intent({ webhook_url: 'http://192.0.2.1/' })
    expect(code).toBe(400)
    expect(status.errors).toEqual([{ webhook_url: OUTSIDE }])
    expect((await service.state())['intents']).toEqual([])
  })

  it('is taken with allowRemote', async () => {
    const service = await Service.start({ allowRemote: true })
    expect((await service.intent({ webhook_url: 'http://192.0.2.1/' })).code).toBe(200)
  })

  it('may name this machine', async () => {
    const service = await Service.start()
    expect((await service.intent({ webhook_url: 'http://localhost:3000/' })).code).toBe(200)
  })
})

describe('At the time of sending', () => {
  it('a name that leads elsewhere by then gets nothing', async () => {
    const endpoint = await Endpoint.start()
    const { port } = new URL(endpoint.url)
    const ask = names({ 'rebound.test': [['127.0.0.1'], ['127.0.0.1'], ['192.0.2.1']] })
    const targets = new Targets(false, ask)
    const url = `http://rebound.test:${port}/`
    expect(await targets.problemOf(url)).toBeUndefined()
    expect((await deliver(targets, url))?.answer?.status).toBe(204)
    const made = await deliver(targets, url)
    expect(made).toMatchObject({ error: `The address ${OUTSIDE}` })
    expect(endpoint.received).toHaveLength(1)
  })

  it('a name that is gone by then is an error like any other', async () => {
    const made = await deliver(new Targets(false, names({})), 'http://gone.test/')
    expect(made).toMatchObject({ error: 'not found' })
  })

  it('a name with several addresses, none of which answers, has an error with a word', async () => {
    const ask = names({ 'several.test': [['127.0.0.1', '127.0.0.2']] })
    const made = await deliver(new Targets(false, ask), 'http://several.test:1/')
    expect(made).toMatchObject({ error: 'ECONNREFUSED' })
  })

  it('returns one address to a caller that asks for one', async () => {
    const { lookup } = new Targets(false, names({ 'both.test': [['127.0.0.1', '::1']] }))
    const found = await new Promise((resolve) => {
      lookup('both.test', {}, (_error, address, family) => {
        resolve([address, family])
      })
    })
    expect(found).toEqual(['127.0.0.1', 4])
  })

  it('allowRemote lets every address through', async () => {
    const { lookup } = new Targets(true, names({ 'outside.test': [['192.0.2.1', '2001:db8::1']] }))
    const found = await new Promise((resolve) => {
      lookup('outside.test', { all: true }, (error, addresses) => {
        resolve(error ?? addresses)
      })
    })
    expect(found).toEqual([
      { address: '192.0.2.1', family: 4 },
      { address: '2001:db8::1', family: 6 },
    ])
  })

  it('https speaks TLS', async () => {
    const endpoint = await Endpoint.start()
    const made = await deliver(new Targets(false), endpoint.url.replace('http:', 'https:'))
    expect(made?.error).toMatch(/SSL|TLS|EPROTO/i)
    expect(endpoint.received).toEqual([])
  })
})
