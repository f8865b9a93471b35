import { expect, it } from 'vitest'
import { run, runJson } from '../support/command.js'
import { file } from '../../../terminal/test/support/files.js'
import { apiKey, bothKeys, env, hmac, known, secret, signed, timestamp, v1, v3 } from '../support/truth.js'

const compact = '{"b":[1,"x"],"a":null}'
const sorted = '{"a":null,"b":[1,"x"]}'

it('sign prints the known answer of public code', async () => {
  const outcome = await run(['sign', '--versions', 'v3', '--timestamp', '1743090080'], {
    stdin: known.body,
    env,
  })
  expect(outcome).toEqual({ code: 0, stdout: `${known.header}\n`, stderr: '' })
})

it('sign takes the body from a file, byte for byte', async () => {
  const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0xff, 0x0d, 0x0a])
  const body = file(bytes)
  const outcome = await run(['sign', '--body', body, '--timestamp', '7'], { stdin: 'not this', env })
  expect(outcome).toEqual({ code: 0, stdout: `${signed(bytes, 7)}\n`, stderr: '' })
})

it('sign takes the body from standard input for "-" too', async () => {
  const outcome = await run(['sign', '--body', '-', '--timestamp', '7'], { stdin: 'x', env })
  expect(outcome.stdout).toBe(`${signed('x', 7)}\n`)
})

it('sign signs with the time that it is, in whole seconds', async () => {
  const { stdout } = await run(['sign'], { stdin: 'x', env, now: 1743090080.9 })
  expect(stdout).toBe(`${signed('x', 1743090080)}\n`)
})

it('sign makes every version whose key is there', async () => {
  const { code, json } = await runJson(['sign'], { stdin: compact, env: bothKeys, now: timestamp })
  const v2 = hmac(secret, sorted + String(timestamp))
  expect(code).toBe(0)
  expect(json).toEqual({
    header: `t=${timestamp},v1=${v1(compact)},v2=${v2},v3=${v3(compact)}`,
    timestamp,
    versions: ['v1', 'v2', 'v3'],
  })
})

it('sign makes v1 where only the API key is there', async () => {
  const world = { stdin: compact, env: { SERVICE_SIGNATURE_API_KEY: apiKey }, now: timestamp }
  const { stdout } = await run(['sign'], world)
  expect(stdout).toBe(`t=${timestamp},v1=${v1(compact)}\n`)
})

it('sign makes only the versions that are asked for', async () => {
  const argv = ['sign', '--versions', 'v3, v1']
  const { stdout } = await run(argv, { stdin: compact, env: bothKeys, now: timestamp })
  expect(stdout).toBe(`t=${timestamp},v1=${v1(compact)},v3=${v3(compact)}\n`)
})

it.each([
  { form: 'source', text: '{"a":"\\u00E9","b":10.0}' },
  { form: 'ecmascript', text: '{"a":"\u00e9","b":10}' },
  { form: 'python', text: '{"a":"\\u00e9","b":10.0}' },
])('sign prints JSON for v2 as $form', async ({ form, text }) => {
  const argv = ['sign', '--versions', 'v2', '--canonical-form', form]
  const { stdout } = await run(argv, { stdin: '{"b":10.0,"a":"\\u00E9"}', env, now: timestamp })
  expect(stdout).toBe(`t=${timestamp},v2=${hmac(secret, text + String(timestamp))}\n`)
})

it('sign refuses v2 of a body that is not JSON', async () => {
  const outcome = await run(['sign', '--versions', 'v2'], { stdin: 'x', env })
  expect(outcome).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining('v2 signs JSON') as string })
})

it.each([
  { fault: 'a time with letters', argv: ['--timestamp', '12s'], says: '--timestamp must be a Unix time' },
  { fault: 'a time with a sign', argv: ['--timestamp', '-5'], says: 'got "-5"' },
  { fault: 'a time of 13 digits', argv: ['--timestamp', '1743090080000'], says: '--timestamp must be' },
  { fault: 'no time', argv: ['--timestamp', ''], says: 'got ""' },
  {
    fault: 'an unknown version',
    argv: ['--versions', 'v4'],
    says: '--versions must list one or more of v1, v2 and v3',
  },
  { fault: 'a version twice', argv: ['--versions', 'v3,v3'], says: 'each once' },
  { fault: 'no version', argv: ['--versions', ''], says: '--versions must list' },
  { fault: 'an unknown form', argv: ['--canonical-form', 'ruby'], says: 'one of source, ecmascript, python' },
  { fault: 'a name of every object', argv: ['--canonical-form', 'toString'], says: 'one of source' },
])('sign refuses $fault', async ({ argv, says }) => {
  const outcome = await run(['sign', ...argv], { stdin: '{}', env: bothKeys })
  expect(outcome).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(says) as string })
})

it.each([
  {
    fault: 'any key',
    argv: [],
    keys: {},
    says: 'No signing secret. Set WEBHOOK_SECRET or pass --secret-file <file>.',
  },
  {
    fault: 'the key of v1',
    argv: ['--versions', 'v1'],
    keys: env,
    says: 'No account API key. Set PAYMENT_API_KEY',
  },
])('sign refuses to sign without $fault', async ({ argv, keys, says }) => {
  const outcome = await run(['sign', ...argv], { stdin: '{}', env: keys })
  expect(outcome).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(says) as string })
})
