import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../support/folder.js'

const command = fileURLToPath(new URL('../../../packages/cli/bin/service-signature.js', import.meta.url))
const dockerfile = read('Dockerfile')
const compose = read('compose.example.yaml')

const INTENT = '{"amount":10.5,"amount_currency":"EUR"}'

function read(name: string): string {
  return readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')
}

/** The list of words after an instruction of the Dockerfile. */
function wordsAfter(instruction: string): readonly string[] {
  const [, words] = new RegExp(`^ *${instruction} (\\[.*\\])$`, 'm').exec(dockerfile)!
  return JSON.parse(words!) as string[]
}

/** What the command line of the container is, with a port that is free and a folder of this test in place of its own. */
function containerArguments(folder: string): readonly string[] {
  const [name, ...own] = wordsAfter('ENTRYPOINT')
  expect(name).toBe('service-signature')
  const [, list] = /command:\n((?: {6}.*\n)+)/.exec(compose)!
  const options = [...list!.matchAll(/^ {6}- (.*)$/gm)].map(([, word]) => word!)
  return [...own, ...options, '--port', '0', '--data', folder, '--json']
}

async function start(folder: string, token = '') {
  // An empty text, as the compose file passes it on if the variable is not set.
  expect(compose).toContain('SANDBOX_TOKEN: ${SANDBOX_TOKEN:-}')
  const env = { ...process.env, SANDBOX_TOKEN: token }
  const child = spawn(process.execPath, [command, ...containerArguments(folder)], { env })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const {
    url,
    token: needed,
    apiKeys,
  } = JSON.parse(line.toString()) as {
    readonly url: string
    readonly token: string
    readonly apiKeys: { readonly account: string }
  }
  return { child, url, needed, port: new URL(url).port, key: apiKeys.account }
}

/** A call under another name than that of this machine. */
async function call(port: string, host: string, key: string) {
  const headers = { Host: host, 'X-Api-Key': key, 'Content-Type': 'application/json' }
  const sent = request(`http://127.0.0.1:${port}/api/v1.4/payments/intent/`, { method: 'POST', headers })
  sent.end(INTENT)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  let body = ''
  for await (const chunk of response) body += String(chunk)
  return {
    status: response.statusCode,
    data: (JSON.parse(body) as { data: { embed_url: string } | null }).data,
  }
}

describe('The command line of the Dockerfile, with the options of compose.example.yaml', () => {
  it('answers to the name of the service and to localhost, with the address of the browser', async () => {
    const { child, port, key } = await start(temporaryFolder())
    for (const host of ['sandbox:4000', 'localhost:4000', '172.18.0.2:4000']) {
      const { status, data } = await call(port, host, key)
      expect(status, host).toBe(200)
      expect(data!.embed_url).toMatch(/^http:\/\/localhost:4000\/vault\/form\//)
    }
    expect((await call(port, 'evil.example', key)).status).toBe(403)
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  }, 60_000)

  it('needs the token of SANDBOX_TOKEN, or the one that it prints', async () => {
    const given = 'a-token-of-the-tests_0123456789'
    for (const token of ['', given]) {
      const { url, needed } = await start(temporaryFolder(), token)
      if (token !== '') expect(needed).toBe(given)
      const status = async (authorization: string) =>
        (await fetch(`${url}/_sandbox/overview/`, { headers: { Authorization: authorization } })).status
      expect(await status(`Bearer ${needed}`)).toBe(200)
      expect(await status(`Bearer ${needed}x`)).toBe(401)
    }
  }, 60_000)

  it('is healthy while it runs, and not healthy afterwards', async () => {
    const { child, port } = await start(temporaryFolder())
    const [node, flag, script] = /CMD (\[.*\])/
      .exec(dockerfile)!
      .slice(1)
      .flatMap((list) => JSON.parse(list) as string[])
    expect([node, flag]).toEqual(['node', '--eval'])
    const check = [flag!, script!.replace(':4000', `:${port}`)]
    await promisify(execFile)(process.execPath, check)
    child.kill('SIGTERM')
    await once(child, 'exit')
    expect(spawnSync(process.execPath, check).status).toBe(1)
  }, 60_000)
})
