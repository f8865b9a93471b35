const { strictEqual, match } = require('node:assert')
const { spawnSync } = require('node:child_process')
const { join } = require('node:path')
const { test } = require('node:test')
const { BODY, SECRET, signatureOf } = require('./shared/deliveries.cjs')

const command = join(__dirname, 'node_modules/.bin/service-signature')

function run(args, input) {
  const env = { ...process.env, SERVICE_SIGNATURE_SECRET: SECRET }
  return spawnSync(command, args, { input, env, encoding: 'utf8' })
}

test('the installed command verifies what node:crypto signed', () => {
  const { status, stdout, stderr } = run(['verify', '--header', signatureOf(BODY)], BODY)
  match(stdout, /^Genuine: /, stderr)
  strictEqual(status, 0)
})

test('and refuses what is forged', () => {
  const { status, stdout, stderr } = run(['verify', '--header', signatureOf('{}')], BODY)
  match(stdout, /^ERR_SIGNATURE_MISMATCH: /, stderr)
  strictEqual(status, 1)
})
