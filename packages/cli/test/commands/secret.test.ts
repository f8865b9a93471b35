import type { ServerResponse } from 'node:http'
import { freePort } from '@service-signature/contract/free-port'
import { describe, expect, it } from 'vitest'
import { run, runJson } from '../support/command.js'
import { rawHeader, startEndpoint, type Endpoint } from '../support/endpoint.js'
import { file } from '../../../terminal/test/support/files.js'
import { apiKey, fingerprintOf, secret } from '../support/truth.js'

const env = { SERVICE_SIGNATURE_API_KEY: apiKey }
const found = fingerprintOf(secret)

/** The answer of the signature-key endpoint. */
const answer = {
  status: { code: 200, message: 'OK', errors: [] },
  data: { webhook_signature_secret: secret },
  count: 1,
  next: null,
  previous: null,
}

/** A stand-in for the payment service. */
async function startService(
  respond = (res: ServerResponse) => void res.end(JSON.stringify(answer)),
): Promise<Endpoint & { baseUrl: string }> {
  const endpoint = await startEndpoint(respond)
  return { ...endpoint, baseUrl: new URL(endpoint.url).origin }
}

describe('secret', () => {
  it('prints the fingerprint of the secret that the service answers', async () => {
    const { baseUrl, received } = await startService()
    const outcome = await run(['secret', '--base-url', `${baseUrl}/`], { env })
    expect(outcome).toEqual({ code: 0, stdout: `${found}\n`, stderr: '' })
    expect(received).toHaveLength(1)
    expect(received[0]).toMatchObject({
      method: 'GET',
      url: '/api/v1/organizations/get-webhook-signature-key/',
    })
    expect(rawHeader(received[0]!, 'X-Api-Key')).toBe(apiKey)
  })

  it('--reveal prints the secret, and only it', async () => {
    const { baseUrl } = await startService()
    const outcome = await run(['secret', '--base-url', baseUrl, '--reveal'], { env })
    expect(outcome).toEqual({ code: 0, stdout: `${secret}\n`, stderr: '' })
  })

  it('as JSON, without the secret unless it is asked for', async () => {
    const { baseUrl } = await startService()
    const argv = ['secret', '--base-url', baseUrl]
    await expect(runJson(argv, { env })).resolves.toEqual({
      code: 0,
      json: { fingerprint: found },
      stderr: '',
    })
    await expect(runJson([...argv, '--reveal'], { env })).resolves.toEqual({
      code: 0,
      json: { fingerprint: found, secret },
      stderr: '',
    })
  })

  it('takes the API key from a file or from standard input', async () => {
    const { baseUrl, received } = await startService()
    await run(['secret', '--base-url', baseUrl, '--api-key-file', file('from_file\n')], { env })
    await run(['secret', '--base-url', baseUrl, '--api-key-file', '-'], { env, stdin: 'from_stdin\n' })
    expect(received.map((request) => rawHeader(request, 'X-Api-Key'))).toEqual(['from_file', 'from_stdin'])
  })

  it('a broken secret in the environment is not in its way', async () => {
    const { baseUrl } = await startService()
    const outcome = await run(['secret', '--base-url', baseUrl], {
      env: { ...env, SERVICE_SIGNATURE_SECRET: ' x ' },
    })
    expect(outcome).toMatchObject({ code: 0, stderr: '' })
  })

  it.each([
    { mode: '--live', joined: 'org_key,acc_1,true' },
    { mode: '--test', joined: 'org_key,acc_1,false' },
  ])('joins the key of an organization with the account and $mode', async ({ mode, joined }) => {
    const { baseUrl, received } = await startService()
    const argv = ['--organization-key-file', file('org_key\n'), '--account', 'acc_1', mode]
    const outcome = await run(['secret', '--base-url', baseUrl, ...argv])
    expect(outcome).toMatchObject({ code: 0, stderr: '' })
    expect(rawHeader(received[0]!, 'X-Api-Key')).toBe(joined)
  })
})

describe('secret ends with 1 where the service says no', () => {
  it.each([
    {
      no: '401',
      respond: (res: ServerResponse) => res.writeHead(401).end('{}'),
      says: 'HTTP 401. The API key is wrong or revoked',
    },
    { no: '404', respond: (res: ServerResponse) => res.writeHead(404).end(), says: 'HTTP 404' },
    {
      no: 'a redirect',
      respond: (res: ServerResponse) => res.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end(),
      says: 'with a redirect',
    },
    {
      no: 'an envelope with 401',
      respond: (res: ServerResponse) => res.end('{"status":{"code":401}}'),
      says: 'status.code 401',
    },
    { no: 'a page', respond: (res: ServerResponse) => res.end('<html>'), says: 'the answer is an HTML page' },
  ])('$no', async ({ respond, says }) => {
    const { baseUrl, received } = await startService((res) => void respond(res))
    const outcome = await run(['secret', '--base-url', baseUrl, '--reveal'], { env })
    expect(outcome).toMatchObject({ code: 1, stdout: '' })
    expect(outcome.stderr).toContain(says)
    expect(outcome.stderr).not.toContain(apiKey)
    expect(received).toHaveLength(1)
  })

  it('names the options for an organization key, and no public key', async () => {
    const { baseUrl } = await startService((res) => void res.writeHead(403).end())
    const { stderr } = await run(['secret', '--base-url', baseUrl], { env })
    expect(stderr).toContain(
      'An organization API key needs its account: pass --organization-key-file <file>, --account <id>, and --live or --test.',
    )
    expect(stderr).not.toContain('public')
  })

  it('as JSON', async () => {
    const { baseUrl } = await startService((res) => void res.writeHead(403).end())
    await expect(runJson(['secret', '--base-url', baseUrl], { env })).resolves.toEqual({
      code: 1,
      json: { error: { code: 'ERR_REFUSED', message: expect.stringContaining('HTTP 403') as string } },
      stderr: '',
    })
  })
})

describe('secret ends with 3 where the service is down', () => {
  it.each([
    { down: '500', respond: (res: ServerResponse) => res.writeHead(500).end(), says: 'HTTP 500' },
    {
      down: '503 for a while',
      respond: (res: ServerResponse) => res.writeHead(503, { 'Retry-After': '60' }).end(),
      says: 'HTTP 503',
    },
    {
      down: 'an envelope with 500',
      respond: (res: ServerResponse) => res.end('{"status":{"code":500}}'),
      says: 'status.code 500',
    },
    {
      down: 'an answer that breaks off',
      respond: (res: ServerResponse) =>
        res.writeHead(200, { 'Content-Length': 9 }).write('{', () => res.destroy()),
      says: 'broke off',
    },
  ])('$down', async ({ respond, says }) => {
    const { baseUrl } = await startService((res) => void respond(res))
    const outcome = await run(['secret', '--base-url', baseUrl], { env })
    expect(outcome).toMatchObject({ code: 3, stdout: '' })
    expect(outcome.stderr).toContain(says)
    expect(outcome.stderr).not.toContain(apiKey)
  })

  it('nothing listens', async () => {
    const outcome = await run(['secret', '--base-url', `http://127.0.0.1:${await freePort()}`], { env })
    expect(outcome).toMatchObject({ code: 3, stdout: '' })
    expect(outcome.stderr).toContain('The payment service could not be reached')
  })
})

describe('secret is refused with 2, and the service is not asked', () => {
  const organization = ['--organization-key-file', '/dev/null']

  it.each([
    { fault: 'no address', argv: [], says: 'The address of the payment service is missing: pass --base-url' },
    {
      fault: 'an invalid address',
      argv: ['--base-url', 'api.example.com'],
      says: '--base-url must be a whole address',
    },
    {
      fault: 'an address in the clear',
      argv: ['--base-url', 'http://api.example.com'],
      says: '--base-url must start with https:',
    },
    {
      fault: 'no key',
      argv: ['--base-url', 'http://localhost'],
      env: {},
      says: 'No account API key. Set PAYMENT_API_KEY or pass --api-key-file',
    },
    {
      fault: 'a key that no header carries',
      argv: ['--base-url', 'http://localhost'],
      env: { SERVICE_SIGNATURE_API_KEY: 'a b' },
      says: 'must be a string of ASCII characters without white space or commas. Pass an organization API key as --org',
    },
    {
      fault: 'an organization without an account',
      argv: ['--base-url', 'http://localhost', ...organization, '--live'],
      says: 'needs --account <id>, and --live or --test',
    },
    {
      fault: 'an organization without a mode',
      argv: ['--base-url', 'http://localhost', ...organization, '--account', 'a'],
      says: 'and --live or --test',
    },
    {
      fault: 'both modes',
      argv: ['--base-url', 'http://localhost', ...organization, '--account', 'a', '--live', '--test'],
      says: 'and --live or --test',
    },
    {
      fault: 'an account without an organization',
      argv: ['--base-url', 'http://localhost', '--account', 'a'],
      says: 'belong to --organization-key-file',
    },
    {
      fault: 'a mode without an organization',
      argv: ['--base-url', 'http://localhost', '--live'],
      says: 'belong to --organization-key-file',
    },
    {
      fault: 'the other mode without an organization',
      argv: ['--base-url', 'http://localhost', '--test'],
      says: 'belong to --organization-key-file',
    },
    {
      fault: 'an empty key of an organization',
      argv: ['--base-url', 'http://localhost', ...organization, '--account', 'a', '--live'],
      says: 'The key in /dev/null is empty',
    },
  ])('$fault', async ({ argv, says, ...world }) => {
    const outcome = await run(['secret', ...argv], { env, ...world })
    expect(outcome).toMatchObject({ code: 2, stdout: '' })
    expect(outcome.stderr).toContain(says)
  })
})
