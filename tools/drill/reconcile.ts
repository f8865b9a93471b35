// Payments of the sandbox, of whose deliveries a part is never sent, booked by the programs of docs/reconcile.md while the
// endpoint is killed. After one run of the job nothing may be missing, and nothing booked twice.
import { startPostgres } from '@service-signature/contract/postgres-server'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect } from './databases/postgres.js'

const EXAMPLE = 'examples/postgres/reconcile'
const PORT = '41317'
const DEFAULTS = { payments: 20_000, lostPercent: 5, kills: 20, atOnce: 8 }

/** Runs the drill over the built packages, prints what happened, and resolves to whether every promise was kept. */
export async function drill(_bundler: unknown, given: Partial<typeof DEFAULTS>): Promise<boolean> {
  const { payments, lostPercent, kills, atOnce } = { ...DEFAULTS, ...given }
  const postgres = await startPostgres()
  const pool = connect(postgres.url, 1)
  // Without a primary key, unlike in the page: a second booking is a second row.
  await pool.query('CREATE TABLE payments (intent_id text, amount numeric)')
  const options = ['sandbox', '--json', '--keep', String(3 * payments), '--time-scale', '20', '--seed', '1']
  const sandbox = run('packages/cli/bin/service-signature.js', options)
  const { url, apiKeys, accountId } = JSON.parse(await lineOf(sandbox)) as Started
  const env = {
    ...{ DATABASE_URL: postgres.url, PAYMENT_SERVICE_URL: url, PAYMENT_API_KEY: apiKeys.account, PORT },
    ...{ PAYMENT_ACCOUNT: accountId, PAYMENT_MODE: 'test' },
  }
  const begin = () => run(`${EXAMPLE}/endpoint.js`, [], env)
  const call = async (method: string, path: string, body?: object) => {
    const headers = { 'X-Api-Key': apiKeys.account, 'Content-Type': 'application/json' }
    const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as { data: { id: string }; count: number }
  }
  let endpoint = begin()
  let restarted = Promise.resolve()
  const kill = async () => {
    await end(endpoint)
    endpoint = begin()
  }
  try {
    await call('PUT', '/_sandbox/faults/', { deliveries: { lost: true }, chance: lostPercent / 100 })
    const ids = new Set<string>()
    let begun = 0
    const pay = async () => {
      while (begun < payments) {
        const amount = ++begun
        if (amount % Math.floor(payments / (kills + 1)) === 0) restarted = restarted.then(kill)
        if (amount % 1000 === 0) console.error(`${amount} of ${payments} payments begun`)
        const { data } = await call('POST', '/api/v1.4/payments/intent/', {
          ...{ amount, amount_currency: 'EUR', webhook_url: `http://127.0.0.1:${PORT}/webhooks` },
        })
        ids.add(data.id)
        await call('POST', `/_sandbox/intents/${data.id}/pay/`, { card: '4242424242424242' })
      }
    }
    await Promise.all(Array.from({ length: atOnce }, pay))
    await restarted
    const booked = await settled(async () => Number((await pool.query('SELECT FROM payments')).rowCount))
    const startedAt = performance.now()
    const job = run(`${EXAMPLE}/job.js`, [], env)
    const report = (await textOf(job)).trim().split('\n').at(-1)!
    const seconds = Math.round(performance.now() - startedAt) / 1000
    const { rows } = await pool.query<{ id: string; times: number }>(
      'SELECT intent_id AS id, count(*)::int AS times FROM payments GROUP BY intent_id',
    )
    const result = {
      payments: ids.size,
      'booked by webhooks': booked,
      'missing after the job': ids.size - rows.filter(({ id }) => ids.has(id)).length,
      'booked twice': rows.filter(({ times }) => times > 1).length,
      'seconds of the job': seconds,
      'calls of the job to the service': Math.floor(payments / 100) + 1,
    }
    console.table(result)
    console.log(`The job: ${report}`)
    return result['missing after the job'] + result['booked twice'] === 0
  } finally {
    await Promise.all([end(endpoint), end(sandbox), pool.end()])
    await postgres.stop()
  }
}

interface Started {
  readonly url: string
  readonly accountId: string
  readonly apiKeys: { readonly account: string }
}

function run(file: string, options: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const child = spawn(process.execPath, [file, ...options], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  process.once('exit', () => child.kill('SIGKILL'))
  if (file.endsWith('endpoint.js')) child.stdout.resume()
  return child
}

async function lineOf(child: ChildProcess): Promise<string> {
  const [line] = (await once(child.stdout!, 'data')) as [Buffer]
  return line.toString()
}

async function textOf(child: ChildProcess): Promise<string> {
  let text = ''
  for await (const chunk of child.stdout!) text += String(chunk)
  return text
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

/** A number, once it has stayed the same for 10 s: the last retries have arrived. */
async function settled(read: () => Promise<number>): Promise<number> {
  for (let last = -1; ;) {
    const now = await read()
    if (now === last) return now
    last = now
    await new Promise((resolve) => setTimeout(resolve, 10_000))
  }
}
