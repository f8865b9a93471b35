import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { SandboxProcess } from '../support/sandbox-process.js'

const dockerfile = read('Dockerfile')
const compose = read('compose.example.yaml')

function read(name: string): string {
  return readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')
}

/** The list of words after an instruction of the Dockerfile. */
function wordsAfter(instruction: string): readonly string[] {
  const [, words] = new RegExp(`${instruction} (\\[.*\\])$`, 'm').exec(dockerfile)!
  return JSON.parse(words!) as string[]
}

/** The command line of the container, with a port that is free and a folder of this test in place of its own. */
function start(token = ''): Promise<SandboxProcess> {
  // An empty text, as the compose file passes it on if the variable is not set.
  expect(compose).toContain('SANDBOX_TOKEN: ${SANDBOX_TOKEN:-}')
  const [name, ...own] = wordsAfter('ENTRYPOINT')
  expect(name).toBe('service-signature')
  const [, list] = /command:\n((?: {6}.*\n)+)/.exec(compose)!
  const options = [...list!.matchAll(/^ {6}- (.*)$/gm)].map(([, word]) => word!)
  const changed = ['--port', '0', '--data', temporaryFolder()]
  return SandboxProcess.start([...own, ...options, ...changed], { env: { SANDBOX_TOKEN: token } })
}

/** Makes an intent under another name than that of this machine. */
async function makeIntent({ url, key }: SandboxProcess, host: string) {
  const { port } = new URL(url)
  const headers = { Host: host, 'X-Api-Key': key, 'Content-Type': 'application/json' }
  const sent = request(`http://127.0.0.1:${port}/api/v1.4/payments/intent/`, { method: 'POST', headers })
  sent.end('{"amount":10.5,"amount_currency":"EUR"}')
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const { data } = JSON.parse(await text(response)) as { data: { embed_url: string } | null }
  return { status: response.statusCode, data }
}

describe('The command line of the Dockerfile, with the options of compose.example.yaml', () => {
  it('answers to the name of the service and to localhost, with the address of the browser', async () => {
    const sandbox = await start()
    for (const host of ['sandbox:4000', 'localhost:4000', '172.18.0.2:4000']) {
      const { status, data } = await makeIntent(sandbox, host)
      expect(status, host).toBe(200)
      expect(data!.embed_url).toMatch(/^http:\/\/localhost:4000\/vault\/form\//)
    }
    expect((await makeIntent(sandbox, 'evil.example')).status).toBe(403)
    expect(await sandbox.kill('SIGTERM')).toEqual([0, null])
  })

  it('needs the token of SANDBOX_TOKEN, or the one that it prints', async () => {
    const given = 'a-token-of-the-tests_0123456789'
    for (const passed of ['', given]) {
      const { url, token } = await start(passed)
      if (passed !== '') expect(token).toBe(given)
      for (const [sent, status] of [
        [token, 200],
        [`${token}x`, 401],
      ] as const) {
        const headers = { Authorization: `Bearer ${sent}` }
        expect((await fetch(`${url}/_sandbox/overview/`, { headers })).status).toBe(status)
      }
    }
  })

  it('is healthy while it runs, and not healthy afterwards', async () => {
    const sandbox = await start()
    const [node, flag, script] = wordsAfter('CMD')
    expect([node, flag]).toEqual(['node', '--eval'])
    const check = [flag!, script!.replace(':4000', `:${new URL(sandbox.url).port}`)]
    await promisify(execFile)(process.execPath, check)
    await sandbox.kill('SIGTERM')
    expect(spawnSync(process.execPath, check).status).toBe(1)
  })
})
