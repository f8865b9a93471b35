// Kills workerd while a Worker books deliveries in D1, and starts it again over the same files. With the inbox each delivery
// must be booked exactly once; with Durable Objects none may be lost. One process has all instances of the Worker and the
// storage. Needs the built packages, and those of test/drivers.
import { d1Inbox } from '@service-signature/cloudflare'
import { build } from 'esbuild'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Miniflare as Workerd } from '../../test/drivers/node_modules/miniflare/dist/src/index.js'
import { seeded } from './random.js'
import { SECRET, sendAll } from './sender.js'

const DEFAULTS = { deliveries: 5000, rate: 20, copies: 3, kills: 10, seed: 1 }

const WORKER = `
import { serviceSignature } from '@service-signature/fetch'
import { d1Inbox, durableObjectReplayStore } from '@service-signature/cloudflare'
export { ReplayObject } from '@service-signature/cloudflare'
let handle
export default { fetch: (request, env) => (handle ??= endpoint(env))(request) }
function endpoint({ DB, REPLAY, STORE, secret }) {
  const inbox = d1Inbox(DB)
  const book = (webhook) => DB.prepare('INSERT INTO bookings VALUES (?)').bind(webhook.event.payload.id)
  const replay = durableObjectReplayStore(REPLAY, { leaseSeconds: 3 })
  if (STORE === 'objects') return serviceSignature({ secret, replay }, async (webhook) => { await book(webhook).run() })
  return serviceSignature({ secret }, async (webhook) => { await inbox.handle(webhook, [book(webhook)]) })
}
`

export async function drill(_bundler: unknown, given: Partial<typeof DEFAULTS>): Promise<boolean> {
  const options = { ...DEFAULTS, ...given }
  console.log(`Options: ${JSON.stringify(options)}`)
  const d1 = await run('d1', options)
  const objects = await run('objects', options)
  console.table({ 'the inbox in D1': d1, 'Durable Objects besides D1': objects })
  return d1.lost + d1.twice + objects.lost + d1.givenUp + objects.givenUp === 0
}

async function run(store: string, options: typeof DEFAULTS) {
  const folder = mkdtempSync(join(tmpdir(), 'service-signature-workerd-'))
  const { Miniflare } = createRequire(join(process.cwd(), 'test/drivers/package.json'))('miniflare') as {
    Miniflare: typeof Workerd
  }
  const { outputFiles } = await build({
    stdin: { contents: WORKER, resolveDir: process.cwd() },
    // The paths of the workspace lead to the entries for Node.
    ...{ bundle: true, write: false, format: 'esm', tsconfigRaw: '{}', conditions: ['workerd', 'worker'] },
  })
  const start = (port: number) =>
    new Miniflare({
      ...{
        port,
        host: '127.0.0.1',
        modules: true,
        script: outputFiles[0]!.text,
        compatibilityDate: '2026-04-01',
      },
      ...{
        d1Databases: ['DB'],
        d1Persist: join(folder, 'd1'),
        durableObjectsPersist: join(folder, 'objects'),
      },
      durableObjects: { REPLAY: { className: 'ReplayObject', useSQLite: true } },
      bindings: { STORE: store, secret: SECRET },
      handleRuntimeStdio: () => undefined,
    })
  let workerd = start(0)
  const port = Number((await workerd.ready).port)
  const first = await workerd.getD1Database('DB')
  await d1Inbox(first).migrate()
  await first.exec('CREATE TABLE bookings (delivery TEXT)')
  let restarted = Promise.resolve()
  const kill = async () => {
    for (const pid of execFileSync('pgrep', ['-P', String(process.pid), 'workerd'], {
      encoding: 'utf8',
    }).split('\n')) {
      if (pid !== '') process.kill(Number(pid), 'SIGKILL')
    }
    // It may wait for an answer of the process that is dead.
    await Promise.race([workerd.dispose().catch(() => undefined), setTimeout(2000)])
    workerd = start(port)
    await workerd.ready
  }
  const every = Math.floor(options.deliveries / (options.kills + 1))
  let killed = 0
  const onDelivery = (index: number) => {
    if (index > 0 && index % every === 0 && killed++ < options.kills) restarted = restarted.then(kill)
  }
  try {
    const sent = await sendAll({ ...options, ports: [port], random: seeded(options.seed), onDelivery })
    await restarted
    const db = await workerd.getD1Database('DB')
    const { results } = await db
      .prepare('SELECT delivery, count(*) AS n FROM bookings GROUP BY delivery')
      .all<{ n: number }>()
    const requests = [...sent.answers.values()].reduce((sum, count) => sum + count, 0)
    const twice = results.filter(({ n }) => n > 1).length
    const counted = {
      deliveries: options.deliveries,
      requests,
      unanswered: sent.answers.get(0) ?? 0,
      kills: options.kills,
    }
    return {
      ...counted,
      givenUp: sent.givenUp.length,
      lost: options.deliveries - results.length,
      twice,
      slowest: sent.slowest,
    }
  } finally {
    await workerd.dispose()
    rmSync(folder, { recursive: true, force: true })
  }
}
