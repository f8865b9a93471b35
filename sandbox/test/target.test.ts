import { lookup } from 'node:dns'
import { describe, expect, it } from 'vitest'
import { attempt } from '../server/deliveries/attempt.js'
import { Targets } from '../server/http/target.js'
import { checkOptions } from '../server/options.js'
import { RunningService as InnerService } from '../server/service.js'
import { ACCOUNTS, type Account } from '../server/accounts/records.js'
import { Endpoint } from './support/endpoint.js'
import { Service } from './support/service.js'

const OUTSIDE =
  'must lead to this machine (localhost, 127.0.0.1 or [::1]), unless the sandbox is started with allowRemote'
const OWN = 'must not be the address of the sandbox itself'

const HERE = { allowRemote: false, host: '127.0.0.1', allowHosts: [] }
const ANYWHERE = { ...HERE, allowRemote: true }

async function deliver(targets: Targets, url: string) {
  const service = new InnerService(checkOptions({}))
  const [{ id: accountId }] = [...service.store.list(ACCOUNTS)] as [Account]
  const [delivery] = service.deliveries.add([{ type: 'intent.processed', body: '{}' }], {
    scope: { accountId, isLive: false },
    intentId: 'int',
    source: 'payment',
    isOwn: false,
    forgeries: [],
    isRetried: true,
    url,
  })
  return attempt(
    Object.assign(service, { targets }),
    delivery!,
    { forgeries: [], isCheck: false },
    new AbortController().signal,
  )
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
    'http://LOCALHOST./',
    'http://shop.localhost:3000/',
  ])('%s leads to this machine', (url) => {
    expect(new Targets(HERE).problemOf(url)).toBeUndefined()
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
    'http://127.0.0.1.outside.test/',
    'http://localhost.outside.test/',
    'http://notlocalhost/',
  ])('%s does not, and no name server is asked', (url) => {
    expect(new Targets(HERE).problemOf(url)).toBe(OUTSIDE)
    expect(new Targets(ANYWHERE).problemOf(url)).toBeUndefined()
  })

  it.each([HERE, ANYWHERE])('a user name and a password are refused with %j', (settings) => {
    const targets = new Targets(settings)
    for (const url of ['http://jane@127.0.0.1/', 'http://:word@127.0.0.1/', 'http://jane:word@127.0.0.1/']) {
      expect(targets.problemOf(url)).toBe('must not hold a user name or a password')
    }
  })

  it.each([
    'http://127.0.0.1:4000/_sandbox/reset',
    'http://localhost:4000/',
    'http://[::1]:4000/',
    'https://127.1:4000/',
    'http://0.0.0.0:4000/',
    'http://sandbox.test:4000/',
    'http://other.test:4000/',
    'http://10.0.0.9:4000/',
  ])('%s is the sandbox itself', (url) => {
    const targets = new Targets({
      allowRemote: true,
      host: '10.0.0.9',
      allowHosts: ['sandbox.test', 'other.test:4000'],
    })
    expect(targets.problemOf(url)).toBeUndefined()
    targets.ownPort = 4000
    expect(targets.problemOf(url)).toBe(OWN)
  })

  it.each([
    ['http://127.0.0.1:3000/', 4000],
    ['http://sandbox.test:3000/', 4000],
    ['http://192.0.2.1:4000/', 4000],
    ['https://127.0.0.1/', 80],
    ['http://127.0.0.1/', 443],
  ])('%s is not the sandbox on port %i', (url, port) => {
    const targets = new Targets({ ...ANYWHERE, allowHosts: ['sandbox.test'] })
    targets.ownPort = port
    expect(targets.problemOf(url)).toBeUndefined()
  })

  it('knows the default ports', () => {
    const targets = new Targets(HERE)
    targets.ownPort = 80
    expect(targets.problemOf('http://127.0.0.1/')).toBe(OWN)
    targets.ownPort = 443
    expect(targets.problemOf('https://127.0.0.1/')).toBe(OWN)
  })

  it('of an intent cannot be a control endpoint of the sandbox', async () => {
    const service = await Service.start()
    const { code, status } = await service.intent({ webhook_url: `${service.sandbox.url}/_sandbox/reset` })
    expect(code).toBe(400)
    expect(status.errors).toEqual([{ webhook_url: OWN }])
    expect((await service.state())['intents']).toEqual([])
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
  it.each([
    ['http://192.0.2.1/', OUTSIDE],
    ['http://outside.test/', OUTSIDE],
    ['http://127.0.0.1:4000/_sandbox/reset', OWN],
  ])('%s gets nothing, even if it was stored before', async (url, problem) => {
    const targets = new Targets(HERE)
    targets.ownPort = 4000
    const made = await deliver(targets, url)
    expect(made).toMatchObject({ error: `The address ${problem}` })
    expect(made?.status).toBeUndefined()
  })

  it('localhost is found without a name server', async () => {
    const endpoint = await Endpoint.start()
    const url = endpoint.url.replace('127.0.0.1', 'shop.localhost')
    expect((await deliver(new Targets(HERE), url))?.status).toBe(204)
    expect(endpoint.received).toHaveLength(1)
  })

  it('a name with several addresses, none of which answers, has an error with a word', async () => {
    const made = await deliver(new Targets(HERE), 'http://localhost:1/')
    expect(made).toMatchObject({ error: 'ECONNREFUSED' })
  })

  it('localhost has one address for a caller that asks for one', async () => {
    const { lookup } = new Targets(HERE)
    const found = await new Promise((resolve) => {
      lookup('localhost', {}, (_error, address, family) => {
        resolve([address, family])
      })
    })
    expect(found).toEqual(['127.0.0.1', 4])
  })

  it('with allowRemote, names are looked up as usual', () => {
    expect(new Targets(ANYWHERE).lookup).toBe(lookup)
  })

  it('https speaks TLS', async () => {
    const endpoint = await Endpoint.start()
    const made = await deliver(new Targets(HERE), endpoint.url.replace('http:', 'https:'))
    expect(made?.error).toMatch(/SSL|TLS|EPROTO/i)
    expect(endpoint.received).toEqual([])
  })
})
