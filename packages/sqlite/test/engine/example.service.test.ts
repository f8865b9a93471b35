import { intentEvent, sign } from '@service-signature/core/testing'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { bundle } from '../../../../test/drills/bundle.js'
import { SYNCHRONOUS, runOn } from './support/drivers.js'
import { freePort } from '@service-signature/contract/free-port'
import { isMissing } from '@service-signature/contract/services'

const SECRET = 'test_signature_key'

it.skipIf(isMissing('better-sqlite3')).each(['quick-start', 'record'])(
  'the example %s books a payment once, and only if it is paid, and prints what it did',
  async (name) => {
    const program = await bundle(`../../examples/sqlite/${name}.js`, 'sqlite')
    onTestFinished(program.remove)
    const folder = await mkdtemp(join(tmpdir(), 'sqlite-example-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const port = await freePort()
    const child = fork(program.file, {
      cwd: folder,
      env: { PATH: process.env['PATH'], NODE_ENV: 'test', WEBHOOK_SECRET: SECRET, PORT: String(port) },
      execArgv: [],
      silent: true,
    })
    onTestFinished(() => {
      child.kill('SIGKILL')
    })
    let printed = ''
    child.stdout!.on('data', (chunk) => (printed += String(chunk)))

    const paid = intentEvent()
    const { id, amount } = paid.data.intent
    const send = async (event: object = paid) => {
      const body = JSON.stringify(event)
      const headers = {
        'content-type': 'application/json',
        'service-signature': sign(body, { secret: SECRET }),
      }
      return (await fetch(`http://127.0.0.1:${port}/webhooks`, { method: 'POST', headers, body })).status
    }
    // Until it listens.
    await expect.poll(() => send().catch(() => undefined)).toBe(204)
    expect(await send()).toBe(204)
    expect(await send(intentEvent({ data: { intent: { id: 'int_refunded', status: 'REFUNDED' } } }))).toBe(
      204,
    )
    await expect.poll(() => printed).toBe(`handled: ${id}\nduplicate: ${id}\n`)
    child.kill()
    await once(child, 'exit')
    const database = SYNCHRONOUS[0]!.open(join(folder, 'shop.db'))
    expect(runOn(database, 'SELECT * FROM payments')).toEqual([{ intent_id: id, amount }])
    database.close()
  },
)
