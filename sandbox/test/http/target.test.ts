import { lookupOutside } from '@service-signature/deliveries/node'
import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { describe, expect, it } from 'vitest'
import { Targets } from '../../server/http/target.js'
import { Service, startWithEndpoint } from '../support/service.js'

const OUTSIDE =
  'must lead to this machine (localhost, 127.0.0.1 or [::1]), unless the sandbox is started with allowRemote'
const OWN = 'must not be the address of the sandbox itself'

const HERE = { allowRemote: false, host: '127.0.0.1', allowHosts: [], token: undefined }
const ANYWHERE = { ...HERE, allowRemote: true }

describe('An address of an endpoint', () => {
  it.each([
    'http://127.0.0.1:3000/webhooks',
    'https://127.0.0.1/',
    'http://2130706433/',
    'http://[::1]:3000/',
    'http://localhost:3000/',
    'http://LOCALHOST./',
    'http://shop.localhost:3000/',
  ])('leads to this machine: %s', (url) => {
    expect(new Targets(HERE).problemOf(url)).toBeUndefined()
  })

  it.each([
    'http://10.0.0.1/',
    'http://0.0.0.0:3000/',
    'http://[::]/',
    'http://[::ffff:10.0.0.1]/',
    'http://outside.test/',
    'http://127.0.0.1.outside.test/',
    'http://notlocalhost/',
  ])('leads elsewhere, and no name server is asked: %s', (url) => {
    expect(new Targets(HERE).problemOf(url)).toBe(OUTSIDE)
    expect(new Targets(ANYWHERE).problemOf(url)).toBeUndefined()
  })

  it.each(['http://jane@127.0.0.1/', 'http://:word@127.0.0.1/'])(
    'holds no user name or password: %s',
    (url) => {
      for (const settings of [HERE, ANYWHERE]) {
        expect(new Targets(settings).problemOf(url)).toBe('must not hold a user name or a password')
      }
    },
  )

  it.each([
    ['http://127.0.0.1:4000/_sandbox/reset', 4000, OWN],
    ['http://localhost:4000/', 4000, OWN],
    ['http://[::1]:4000/', 4000, OWN],
    ['http://0.0.0.0:4000/', 4000, OWN],
    ['http://sandbox.test:4000/', 4000, OWN],
    ['http://other.test:4000/', 4000, OWN],
    ['http://127.0.0.1/', 80, OWN],
    ['https://127.0.0.1/', 443, OWN],
    ['http://127.0.0.1:3000/', 4000, undefined],
    ['http://sandbox.test:3000/', 4000, undefined],
    ['http://192.0.2.1:4000/', 4000, undefined],
  ])('is not that of the sandbox: %s where it listens on %i: %s', (url, port, problem) => {
    const allowHosts = ['sandbox.test', 'other.test:4000']
    const targets = new Targets({ ...ANYWHERE, host: '10.0.0.9', allowHosts })
    expect(targets.problemOf(url)).toBeUndefined()
    targets.ownPort = port
    expect(targets.problemOf(url)).toBe(problem)
  })

  it('is checked when an intent is made', async () => {
    const service = await Service.start()
    for (const [webhook_url, problem] of [
      [`${service.sandbox.url}/_sandbox/reset`, OWN],
      ['http://192.0.2.1/', OUTSIDE],
    ]) {
      const { code, status } = await service.intent({ webhook_url })
      expect(code).toBe(400)
      expect(status.errors).toEqual([{ webhook_url: problem }])
    }
    expect((await service.state())['intents']).toEqual([])
    expect((await service.intent({ webhook_url: 'http://localhost:3000/' })).code).toBe(200)
    const remote = await Service.start({ allowRemote: true })
    expect((await remote.intent({ webhook_url: 'http://192.0.2.1/' })).code).toBe(200)
  })
})

describe('At the time of sending', () => {
  it('localhost is found without a name server', async () => {
    const { service, endpoint } = await startWithEndpoint()
    await service.sent(endpoint.url.replace('127.0.0.1', 'shop.localhost'))
    expect(endpoint.received).toHaveLength(2)
  })

  it('a name with several addresses, none of which answers, has an error with a word', async () => {
    const service = await Service.start()
    const [delivery] = await service.sent('http://localhost:1/')
    expect(delivery!.attempts).toMatchObject([
      { error: expect.stringContaining('connect ECONNREFUSED') as string },
    ])
  })

  it('localhost has one address for a caller that asks for one', async () => {
    const found = await new Promise((resolve) => {
      new Targets(HERE).lookup('localhost', {}, (_error, address, family) => {
        resolve([address, family])
      })
    })
    expect(found).toEqual(['127.0.0.1', 4])
  })

  it('names are looked up as usual with allowRemote', () => {
    expect(new Targets(ANYWHERE).lookup).toBe(lookup)
  })

  it.each([
    ['shop.test', ['127.0.0.1'], undefined],
    ['shop.test', ['::1', '::', '0.0.0.0', '::ffff:127.0.0.1'], undefined],
    ['shop.test', ['127.0.0.1', '192.0.2.1', '::1', '2001:db8::1'], ['192.0.2.1', '2001:db8::1']],
    ['localhost', ['127.0.0.1', '::1'], ['127.0.0.1', '::1']],
    ['missing.test', undefined, undefined],
  ])('by the name %s that leads to %j only %j is reached', (name, known, reached) => {
    const missing = Object.assign(new Error('missing'), { code: 'ENOTFOUND' })
    const found = known?.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    const fake = (_name: string, _options: unknown, callback: (...answer: readonly unknown[]) => void) => {
      callback(found === undefined ? missing : null, found)
    }
    const reach = (options: { readonly all?: boolean }) => {
      let answer: unknown[] = []
      lookupOutside(fake as typeof lookup)(name, options, (...given) => (answer = given))
      return answer as Parameters<Parameters<LookupFunction>[2]>
    }
    const [error, all] = reach({ all: true })
    const [, first] = reach({})
    if (reached === undefined) {
      expect(error!.message).toBe(
        found === undefined ? 'missing' : `${name} leads to this machine: write localhost`,
      )
      expect(all).toBe('')
    } else {
      expect(error).toBeNull()
      expect((all as readonly { readonly address: string }[]).map(({ address }) => address)).toEqual(reached)
      expect(first).toBe(reached[0])
    }
  })

  it('a sandbox with a token reaches this machine by no other name than localhost', async () => {
    const { lookup } = new Targets({ ...ANYWHERE, token: 'a-token-of-the-tests_0123456789' })
    const find = (name: string) =>
      new Promise((resolve) => {
        lookup(name, {}, (error, address) => {
          resolve(error?.message ?? address)
        })
      })
    expect(await find('192.0.2.1')).toBe('192.0.2.1')
    // A resolver takes it for an address, and the check of an address sees a name.
    expect(await find('127.1')).toBe('127.1 leads to this machine: write localhost')
  })
})
