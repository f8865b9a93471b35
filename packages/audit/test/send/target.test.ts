import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { describe, expect, it, onTestFinished } from 'vitest'
import { AuditTargetError, findTarget } from '../../src/send/target.js'
import { auditOf } from '../support/audit.js'
import { endpointOf } from '../support/recipe.js'
import { serve } from '../support/serve.js'

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
  ['webhooks', 'is not a URL'],
  ['', 'is not a URL'],
  ['localhost:3000/webhooks', 'must begin with http:// or https://'],
  ['ftp://127.0.0.1/', 'must begin with http:// or https://'],
  ['file:///etc/hosts', 'must begin with http:// or https://'],
  ['http://jane@127.0.0.1/', 'a user name or a password'],
  ['http://:pass-word@127.0.0.1/', 'a user name or a password'],
] as const

describe('the target of an audit', () => {
  it.each(notOwn)('is not %s, unless remote endpoints are allowed', async (url) => {
    const refused = findTarget(url, {})
    await expect(refused).rejects.toThrow(AuditTargetError)
    await expect(refused).rejects.toMatchObject({ code: 'ERR_AUDIT_REMOTE' })
    await expect(refused).rejects.toThrow('set "allowRemote"')
    expect(await findTarget(url, { allowRemote: true })).toMatchObject({ isLoopback: false })
  })

  it.each(own)('may be %s, which is this machine', async (url) => {
    expect(await findTarget(url, {})).toMatchObject({ isLoopback: true })
  })

  it.each(wrong)('is not %j', async (url, reason) => {
    const refused = findTarget(url, { allowRemote: true })
    await expect(refused).rejects.toMatchObject({ name: 'AuditTargetError', code: 'ERR_AUDIT_URL' })
    await expect(refused).rejects.toThrow(reason)
    await expect(refused).rejects.not.toThrow(/jane|pass-word/)
  })

  it('is not reached if its name is unknown', async () => {
    // A part of 64 letters is not allowed in a name, so no name server is asked.
    const { state, problem } = await auditOf(`http://${'a'.repeat(64)}.invalid/`)
    expect(state).toBe('stopped')
    expect(problem).toContain('.invalid/: no connection (ENOTFOUND).')
  })

  it('is resolved by the lookup of the caller, who may refuse a connection', async () => {
    const { port } = new URL(await serve(endpointOf({})))
    const url = `http://webhooks.example:${port}/`
    const names: string[] = []
    const found = await auditOf(url, {
      only,
      allowRemote: true,
      lookup(name, _options, callback) {
        names.push(name)
        callback(null, [{ address: '127.0.0.1', family: 4 }])
      },
    })
    expect(found).toMatchObject({ passed: 1, total: 1 })
    expect(names).toEqual(['webhooks.example'])
    const refused = await auditOf(url, {
      only,
      allowRemote: true,
      lookup(_name, _options, callback) {
        callback(new Error('it leads elsewhere'), [])
      },
    })
    expect(refused.problem).toContain('no connection (it leads elsewhere)')
  })

  it('is sent nothing when it is refused', async () => {
    let requests = 0
    const url = await serve((_req, res) => {
      requests++
      res.end()
    })
    const address = url.replace('127.0.0.1', '0.0.0.0')
    await expect(auditOf(address, { only })).rejects.toThrow(AuditTargetError)
    await expect(auditOf(url.replace('://', '://jane@'), { only })).rejects.toThrow(AuditTargetError)
    expect(requests).toBe(0)
    await auditOf(address, { only, allowRemote: true })
    expect(requests).toBe(1)
  })

  it('is found by its name, whichever of the addresses it listens on', async () => {
    const url = await serve(endpointOf({}))
    const report = await auditOf(url.replace('127.0.0.1', 'localhost'), { only })
    expect(report).toMatchObject({ passed: 1, total: 1 })
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
    expect(await auditOf(`http://[::1]:${port}/`, { only })).toMatchObject({ passed: 1, total: 1 })
  })

  it('gets the query of its address, which no report shows', async () => {
    const asked: unknown[] = []
    const url = await serve((req, res) => {
      asked.push(req.url, req.headers.host)
      res.end()
    })
    const report = await auditOf(`${url}?token=abc#part`, { only })
    expect(report.url).toBe(url)
    expect(JSON.stringify(report)).not.toContain('abc')
    expect(asked).toEqual(['/webhooks?token=abc', new URL(url).host])
  })
})
