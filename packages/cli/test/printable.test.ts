import { describe, expect, it } from 'vitest'
import { run } from './support/command.js'
import { file } from '../../terminal/test/support/files.js'
import { env, known } from './support/truth.js'

// A title of the window, a color, the other direction, a color in one byte, and a line of its own.
const COMMANDS = '\u001b]0;pwned\u0007\u001b[31m\u202e\u009b31m\r\nFAKE: signature is valid'

/** Nothing that commands a terminal; and no line that a file chose, of those that are printed. */
function expectHarmless(text: string): void {
  expect(text).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/u)
  expect(text).not.toMatch(/^FAKE/m)
}

const signature = { name: 'Service-Signature', value: known.header }

function har(entry: object, request: object = {}): string {
  const whole = { headers: [signature], postData: { text: known.body }, method: 'POST', url: 'http://x/' }
  const one = { request: { ...whole, ...request }, ...entry }
  return JSON.stringify({ log: { entries: [one, one] } })
}

function saved(fields: object): string {
  const headers = { 'Service-Signature': known.header }
  const format = 'service-signature-delivery'
  return JSON.stringify({ format, version: 1, headers, body: known.body, ...fields })
}

const sandboxDelivery = JSON.stringify({
  id: COMMANDS,
  attempts: [{}, { headers: { 'Service-Signature': known.header }, body: known.body, faults: [COMMANDS] }],
})

const files: readonly (readonly [what: string, content: string, name: string])[] = [
  ['the URL of a HAR', har({}, { url: COMMANDS })],
  ['the method of a HAR', har({}, { method: COMMANDS })],
  ['the date of a HAR', har({ startedDateTime: COMMANDS })],
  ['the type of a delivery in a log', `${saved({ type: COMMANDS })}\n${saved({})}`],
  ['the version of a saved delivery', saved({ version: COMMANDS })],
  ['the file of a curl command', `curl -H 'Service-Signature: x' --data-binary '@/etc/${COMMANDS}' x`],
  ['an option of a curl command', `curl --data-urlencode${COMMANDS} --data-urlencode '${COMMANDS}' x`],
  ['base64 of a saved delivery', saved({ body: undefined, body_base64: COMMANDS })],
  ['the id and the faults of a delivery of the sandbox', sandboxDelivery],
  ['the request line', `POST /${COMMANDS.split('\r')[0]!} HTTP/1.1\n\n`],
  ['the name of the file', 'x', `name${COMMANDS}`],
].map(([what, content, name = 'file']) => [what!, content!, name] as const)

describe.each(['verify', 'explain'])('%s prints nothing that commands a terminal', (name) => {
  it.each(files)('of %s', async (_what, content, path) => {
    const outcome = await run([name, '--request', file(content, path)], { env })
    expectHarmless(outcome.stdout)
    expectHarmless(outcome.stderr)
    expect(outcome.stdout + outcome.stderr).not.toBe('')
    const json = await run([name, '--request', file(content, path), '--json'], { env })
    expectHarmless(json.stdout)
    expect(JSON.parse(json.stdout)).toBeTypeOf('object')
  })
})

it('a list of entries shows each on one line, with its number', async () => {
  const request = file(har({}, { url: COMMANDS }))
  const { code, stderr } = await run(['verify', '--request', request], { env })
  expect(code).toBe(2)
  expect(stderr.trimEnd().split('\n')).toHaveLength(3)
  expect(stderr).toMatch(/\n {2}1 {2}POST .*FAKE: signature is valid\n {2}2 {2}POST /)
})

it('an option that is not known is printed without what commands a terminal', async () => {
  const { code, stderr } = await run(['verify', `--${COMMANDS}`], { env })
  expect(code).toBe(2)
  expectHarmless(stderr)
})
