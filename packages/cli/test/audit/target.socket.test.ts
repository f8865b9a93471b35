import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findTarget } from '../../src/audit/target.js'
import { UnreachableError, UsageError } from '../../src/exit.js'
import { audit, auditAsJson } from './support/audit.js'
import { endpointOf } from './support/recipe.js'
import { serve } from './support/serve.js'

const only = 'genuine purchase'

const notOwn = [
  'http://192.0.2.1/webhooks',
  'http://10.0.0.1/webhooks',
  'http://169.254.169.254/latest',
  'http://128.0.0.1/',
  'http://0.0.0.0/',
  'http://[2001:db8::1]/',
  'http://[::]/',
  'http://[::ffff:192.0.2.1]/',
  'http://[64:ff9b::7f00:1]/',
]

const own = [
  'http://127.0.0.1/',
  'http://127.255.255.254/',
  'http://2130706433/',
  'http://localhost/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
]

const wrong = [
  ['webhooks', 'is no URL'],
  ['', 'is no URL'],
  ['localhost:3000/webhooks', 'must begin with http:// or https://'],
  ['ftp://127.0.0.1/', 'must begin with http:// or https://'],
  ['file:///etc/hosts', 'must begin with http:// or https://'],
  ['http://jane@127.0.0.1/', 'a user or a password'],
  ['http://:pass-word@127.0.0.1/', 'a user or a password'],
] as const

describe('the target of an audit', () => {
  it.each(notOwn)('is not %s, unless it is said to be the own', async (url) => {
    const refused = findTarget(url, { isOwn: false })
    await expect(refused).rejects.toThrow(UsageError)
    await expect(refused).rejects.toThrow('--i-own-this-endpoint')
    expect(await findTarget(url, { isOwn: true })).toMatchObject({ isLoopback: false })
  })

  it.each(own)('may be %s, which is this machine', async (url) => {
    expect(await findTarget(url, { isOwn: false })).toMatchObject({ isLoopback: true })
  })

  it.each(wrong)('is not %j', async (url, reason) => {
    const refused = findTarget(url, { isOwn: true })
    await expect(refused).rejects.toThrow(UsageError)
    await expect(refused).rejects.toThrow(reason)
    await expect(refused).rejects.not.toThrow(/jane|pass-word/)
  })

  it('is not a host that nobody knows', async () => {
    // No name has a part of 64 letters, so that nobody has to be asked.
    const refused = findTarget(`http://${'a'.repeat(64)}.invalid/`, { isOwn: true })
    await expect(refused).rejects.toThrow(UnreachableError)
    await expect(refused).rejects.toThrow('No address is known')
  })

  it('is sent nothing when it is refused', async () => {
    let requests = 0
    const url = await serve((_req, res) => {
      requests++
      res.end()
    })
    const address = url.replace('127.0.0.1', '0.0.0.0')
    await expect(audit(address, { only })).rejects.toThrow(UsageError)
    await expect(audit(url.replace('://', '://jane@'), { only })).rejects.toThrow(UsageError)
    expect(requests).toBe(0)
    await audit(address, { only, iOwnThisEndpoint: true })
    expect(requests).toBe(1)
  })

  it('is found by its name, at whichever of the addresses it listens', async () => {
    const url = await serve(endpointOf({}))
    const report = await auditAsJson(url.replace('127.0.0.1', 'localhost'), { only })
    expect(report).toMatchObject({ score: 100, total: 1 })
  })

  it.skipIf(
    !Object.values(networkInterfaces())
      .flat()
      .some((own) => own?.address === '::1'),
  )('is found at an address of IPv6', async () => {
    const server = createServer(endpointOf({})).listen(0, '::1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    expect(await auditAsJson(`http://[::1]:${port}/`, { only })).toMatchObject({ score: 100 })
  })

  it('is asked with its query, which no report shows', async () => {
    const asked: unknown[] = []
    const url = await serve((req, res) => {
      asked.push(req.url, req.headers.host)
      res.end()
    })
    const { target } = await auditAsJson(`${url}?token=abc#part`, { only })
    expect(target).toBe(url)
    expect(asked).toEqual(['/webhooks?token=abc', new URL(url).host])
  })
})
