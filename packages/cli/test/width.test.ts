import { describe, expect, it } from 'vitest'
import { Endpoint, status } from '../../../sandbox/test/support/endpoint.js'
import { temporaryFolder } from '../../../sandbox/test/support/folder.js'
import { running } from '../../../sandbox/test/support/running.js'
import { file } from '../../terminal/test/support/files.js'
import { main } from '../src/main.js'
import { run } from './support/command.js'
import { env, secret, signed } from './support/truth.js'

const WIDTH = 80

/** Lines that are too long, but for what must not be broken: a key, an address or a command alone on its line. */
function tooLong(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => line.length > WIDTH)
  return lines.filter((line) => !/^\s*(?:\S+|(?:SANDBOX_TOKEN=\S+ )?npx service-signature .*)$/.test(line))
}

/** A signed delivery in a file, as `curl` saves it. */
const request = () =>
  file(`POST / HTTP/1.1\nService-Signature: t=1743090080,v3=${'0'.repeat(64)}\n\n{"type":"a.b"}`)

describe('in a terminal of 80 columns, no line is broken by it:', () => {
  const url = 'http://127.0.0.1:1/'

  it.each<[string, () => Promise<readonly string[]> | readonly string[]]>([
    ['verify', () => ['verify', '--request', request(), '--now', '1743090080']],
    ['verify, too old', () => ['verify', '--request', request()]],
    [
      'verify without a file',
      () => ['verify', '--request', '/no/such/folder/and/a/very/long/name/of/a/file/there.http'],
    ],
    ['explain', () => ['explain', '--request', request(), '--verbose']],
    [
      'explain, re-serialized',
      () => ['explain', '--header', signed('{"a": 1.0}', 0), '--body', file('{"a":1}'), '--verbose'],
    ],
    ['explain, valid', () => ['explain', '--header', signed('{}', 0), '--body', file('{}')]],
    ['an unknown option', () => ['verify', '--secret', 'x']],
    ['sign', () => ['sign', '--body', file('{}')]],
    ['send, nothing listens', () => ['send', url]],
    [
      'send, tampered',
      async () => ['send', await answering(204), '--tamper', 'signature', '--skew', '-600', '--duplicate'],
    ],
    [
      'send, refused',
      async () => ['send', await answering(404), '--event', 'transaction.purchase.successful'],
    ],
    ['audit', async () => ['audit', await answering(204), '--group', 'time,forged']],
    ['audit of what refuses everything', async () => ['audit', await answering(401)]],
    ['init', () => ['init', temporaryFolder(), '--host', 'express', '--dry-run']],
    ['secret', () => ['secret', '--base-url', 'http://shop.example']],
    ['trigger without a sandbox', () => ['trigger', 'intent.processed', '--sandbox', url]],
  ])('%s', async (_, argv) => {
    const { stdout, stderr } = await run(await argv(), { env, width: WIDTH })
    expect(stdout + stderr).not.toBe('')
    expect(tooLong(stdout + stderr)).toEqual([])
  })

  it('sandbox, listen and trigger', async () => {
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(401))
    const world = { width: WIDTH, env: { WEBHOOK_SECRET: secret } }
    const options = ['--port', '0', '--seed', 'width']
    const bare = await running((io) => main(['sandbox', ...options], io), world)
    const { io } = await running(
      (io) => main(['listen', ...options, '--forward-to', endpoint.url], io),
      world,
    )
    const [, sandbox] = /--sandbox (\S+)/.exec(io.text)!
    const list = await run(['trigger', '--list', '--sandbox', sandbox!], world)
    const sent = await run(['trigger', 'intent.processed', '--count', '2', '--sandbox', sandbox!], world)
    expect([sent.code, sent.stderr]).toEqual([1, ''])
    await io.until(3)
    expect([bare.io.text, io.text, list.stdout, sent.stdout].flatMap(tooLong)).toEqual([])
  })
})

async function answering(code: number): Promise<string> {
  const endpoint = await Endpoint.start()
  endpoint.replyWith(status(code))
  return endpoint.url
}
