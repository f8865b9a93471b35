import { startSandbox } from '@service-signature/sandbox'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Endpoint } from '../../../../sandbox/test/support/endpoint.js'
import { run } from '../support/command.js'
import { startEndpoint } from '../support/endpoint.js'

const TOKEN = 'a-token-of-the-tests_0123456789'
const HOW = 'Set SANDBOX_TOKEN to its token, or pass the address that it printed, with ?token=...'

/** A delivery of a sandbox that needs the token. */
async function sent() {
  const endpoint = await Endpoint.start()
  const sandbox = await startSandbox({ token: TOKEN, defaultEndpoint: endpoint.url })
  onTestFinished(() => sandbox.close())
  const answer = await fetch(`${sandbox.url}/_sandbox/compose/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${TOKEN}` },
    body: JSON.stringify({ template: 'intent-processed' }),
  })
  const { data } = (await answer.json()) as { data: { deliveries: readonly [{ id: string }] } }
  await sandbox.drained()
  return { secret: sandbox.secret, address: `${sandbox.url}/deliveries/${data.deliveries[0].id}/` }
}

describe('explain and verify', () => {
  it('read a delivery and the secret of a sandbox with SANDBOX_TOKEN, or the token within the address', async () => {
    const { secret, address } = await sent()
    const env = { WEBHOOK_SECRET: secret, SANDBOX_TOKEN: TOKEN }
    expect(await run(['explain', '--request', address], { env })).toMatchObject({ code: 0 })
    const printed = `${address}?attempt=1&token=${TOKEN}`
    const wrong = { env: { WEBHOOK_SECRET: 'another_signature_key' } }
    const { code, stdout, stderr } = await run(['explain', '--request', printed], wrong)
    expect(code).toBe(1)
    expect(stdout).toContain('[other-secret]')
    expect(stdout + stderr).not.toContain(TOKEN)
  })

  it('say how to pass it if it is missing', async () => {
    const { secret, address } = await sent()
    const { code, stdout, stderr } = await run(['verify', '--request', address], {
      env: { WEBHOOK_SECRET: secret },
    })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^error: http:\/\/127\.0\.0\.1:\d+\/_?\S*deliveries\/dlv_\w+\/ answered 401\. /)
    expect(stderr).toContain(HOW)
  })

  it.each(['too short', 'k\u00f6nig-of-the-tests', `${TOKEN}\n${TOKEN}`])(
    'report a token that no sandbox has, and send nothing: %j',
    async (token) => {
      const { secret, address } = await sent()
      const rule = 'must have a token of 16 to 100 letters, digits, "-", "." or "_"'
      const env = { WEBHOOK_SECRET: secret, SANDBOX_TOKEN: token }
      const { code, stderr } = await run(['verify', '--request', address], { env })
      expect({ code, stderr }).toEqual({ code: 2, stderr: `error: SANDBOX_TOKEN ${rule}\n` })
      const printed = `${address}?token=${encodeURIComponent(token)}`
      const inAddress = await run(['verify', '--request', printed], { env: { WEBHOOK_SECRET: secret } })
      expect(inAddress.stderr).toBe(`error: ?token= ${rule}\n`)
    },
  )

  it('send SANDBOX_TOKEN to no other address, and leave its query as it is', async () => {
    const other = await startEndpoint((res) => res.writeHead(401).end())
    const env = { WEBHOOK_SECRET: 'any_signature_key', SANDBOX_TOKEN: TOKEN }
    const { stderr } = await run(['verify', '--request', `${other.url}?token=its-own`], { env })
    expect(stderr).toBe(`error: ${other.url} answered 401.\n`)
    const [{ url, rawHeaders }] = other.received as [(typeof other.received)[number]]
    expect(url).toBe('/webhooks?token=its-own')
    expect(rawHeaders.join()).not.toContain(TOKEN)
  })
})
