import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { manualClock, startSandbox, type SandboxOptions } from '../../server/index.js'
import { Endpoint, never, ok, status } from '../support/endpoint.js'
import { temporaryFolder } from '../support/folder.js'
import {
  ACCOUNTS,
  CARD,
  CARD_TOKENS,
  DECLINED,
  NEEDS_CVV,
  Service,
  SIGNATURE_KEY,
} from '../support/service.js'

/** What a sandbox does with the file by which it holds a folder, in a process of its own. */
const HOLD = `
  require('node:fs').writeFileSync(process.argv[1], String(process.pid))
  setInterval(() => undefined, 60_000)
  console.log('held')
`

/** All that the sandbox shows of its state. */
async function everything(service: Service): Promise<unknown> {
  const answers = [await service.post('/_sandbox/keys/reveal/')]
  for (const path of ['overview/', 'newest/deliveries/', 'newest/intents/']) {
    answers.push(await service.get(`/_sandbox/${path}`))
  }
  answers.push(await service.get(SIGNATURE_KEY))
  const { apiKeys, accountId, organizationId, secret, url } = service.sandbox
  const shown = [answers.map(({ data }) => data), await service.deliveries()]
  // The port is another one after a restart.
  const text = JSON.stringify(shown).replaceAll(url, 'http://sandbox')
  return { shown: JSON.parse(text) as unknown, apiKeys, accountId, organizationId, secret }
}

/** The same folder in another sandbox, some time later. */
async function reopened(service: Service, milliseconds = 0): Promise<Service> {
  const { dataFolder, close } = service.sandbox
  await close()
  return Service.inFolder(dataFolder!, {}, manualClock(service.clock.now() + milliseconds))
}

describe('A sandbox with a data folder', () => {
  it('has everything again after a restart', async () => {
    const service = await Service.inFolder(temporaryFolder())
    const endpoint = await Endpoint.start()
    const customer = await service.customer({ first_name: 'Jane', custom_fields: { text: '\ud800 \u20ac' } })
    const card_token = await service.savedCard(customer, { type: 'BOTH' })
    await service.savedCard(customer, { type: 'PROVIDER', provider: 'south' })
    const recurring = { payment_type: 'UNSCHEDULED', recurring_data: { agreement_id: 'monthly' } }
    await service.intent({ customer, card_token, webhook_url: endpoint.url, ...recurring })
    await service.order(endpoint.url, { card: DECLINED })
    await service.pay((await service.intent({ customer })).data.id, { card: NEEDS_CVV })
    await service.post(CARD_TOKENS, { customer })
    await service.post(ACCOUNTS, { name: 'Second' }, service.sandbox.apiKeys.organization)
    const key = (await service.post('/_sandbox/keys/', { type: 'account', is_live: true })).data
    await service.post(`/_sandbox/keys/${key.id}/revoke/`)
    await service.post('/_sandbox/secret/rotate/')
    await service.faults({ providers: { north: 'declines' }, chance: 0.5 })
    await service.setDefaultEndpoint(endpoint.url)
    await service.sandbox.drained()
    const [delivery] = await service.deliveries()
    await service.resend(delivery!.id, { tamper: true })
    const before = await everything(service)
    expect(await everything(await reopened(service))).toEqual(before)
  })

  it('continues after a restart: cards are charged, steps are finished, and no id is given twice', async () => {
    const service = await Service.inFolder(temporaryFolder())
    const customer = await service.customer()
    const card_token = await service.savedCard(customer)
    const waiting = (await service.intent({ customer })).data.id
    await service.pay(waiting, { card: NEEDS_CVV })
    const key = service.sandbox.apiKeys.public
    const card = { card: CARD, expiry: '12/34', holder: 'Jane Doe', cvv: '123' }
    const cardData = (await service.post('/vault/cards/', card, key)).data.id
    const again = await reopened(service)
    const charged = (await again.intent({ customer, card_token })).data
    const { id } = (await again.intent()).data
    const statuses = [
      (await again.pay(waiting, { cvv: '123' })).data.status,
      charged.status,
      (await again.post(`/vault/intents/${id}/pay/`, { cardData }, key)).data.status,
    ]
    expect(statuses).toEqual(['PROCESSED', 'PROCESSED', 'PROCESSED'])
    const others = [await again.customer(), await again.savedCard(customer)]
    expect(new Set([card_token, waiting, charged.id, customer, id, ...others]).size).toBe(7)
  })

  it('is empty after a reset, and has the keys and the secret of its first start', async () => {
    const service = await Service.inFolder(temporaryFolder())
    const first = await everything(service)
    await service.intent()
    await service.post('/_sandbox/secret/rotate/')
    await service.faults({ vault: 'down' })
    service.sandbox.reset()
    await service.customer()
    const again = await reopened(service)
    expect((await again.state())['customers']).toHaveLength(1)
    again.sandbox.reset()
    const { shown, ...keys } = (await everything(await reopened(again))) as { shown: unknown }
    expect(first).toMatchObject(keys)
    expect(shown).toMatchObject([[{}, { faults: {} }, [], [], {}], []])
  })

  it('prefers the default endpoint of its option to the one that was set before the restart', async () => {
    const dataFolder = temporaryFolder()
    const endpointOf = async (service: Service) => (await service.state())['default_endpoint']
    const service = await Service.inFolder(dataFolder)
    await service.setDefaultEndpoint('http://127.0.0.1:1/set')
    await service.sandbox.close()
    const defaultEndpoint = 'http://127.0.0.1:1/option'
    const other = await Service.inFolder(dataFolder, { defaultEndpoint })
    expect(await endpointOf(other)).toBe(defaultEndpoint)
    await other.setDefaultEndpoint(null)
    expect(await endpointOf(await reopened(other))).toBeNull()
  })
})

describe('Deliveries after a restart', () => {
  /** A sandbox in a folder, and an endpoint that does not answer yet. */
  async function start() {
    const endpoint = await Endpoint.start()
    endpoint.replyWith(never)
    return { service: await Service.inFolder(temporaryFolder()), endpoint }
  }

  it.each([
    ['when they are due, and not before', 0, 1000],
    ['at once, if they are overdue', 60_000, 0],
  ])('are retried %s, and continue with the schedule', async (_, late, wait) => {
    const { service, endpoint } = await start()
    endpoint.replyWith(status(500), status(500), ok)
    await service.sent(endpoint.url, { card: DECLINED })
    const again = await reopened(service, late)
    if (wait > 0) {
      await again.pass(wait - 1)
      expect(endpoint.received).toHaveLength(1)
      again.clock.advance(1)
    }
    await again.sandbox.idle()
    expect(endpoint.received).toHaveLength(2)
    await again.pass(5000)
    expect(await again.deliveries()).toMatchObject([{ status: 'delivered', attempt_count: 3 }])
  })

  it('are sent if the end of the process interrupted them, the events of a payment in their order', async () => {
    const { service, endpoint } = await start()
    const ids: string[] = []
    for (let count = 0; count < 3; count++) ids.push(await service.order(endpoint.url))
    await endpoint.until(3)
    endpoint.replyWith(ok)
    const again = await reopened(service)
    await again.sandbox.drained()
    const sent = endpoint.events.slice(3).map(({ type, intent, data }) => {
      const { id } = (intent ?? (data as { intent: object }).intent) as { id: string }
      return `${id} ${type}`
    })
    expect(sent).toHaveLength(6)
    for (const id of ids) {
      const types = ['transaction.purchase.successful', 'intent.processed']
      expect(sent.filter((line) => line.startsWith(id))).toEqual(types.map((type) => `${id} ${type}`))
    }
  })
})

describe('The data folder', () => {
  it('can be read only by the user who runs the sandbox, because it contains keys, and is named', async () => {
    const folder = join(temporaryFolder(), 'new', 'data')
    const service = await Service.inFolder(folder)
    expect(service.sandbox.dataFolder).toBe(folder)
    const { data } = await service.get('/_sandbox/overview/')
    expect(data).toMatchObject({ data_folder: folder })
    const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
    expect(modeOf(folder)).toBe('700')
    expect(new Set(readdirSync(folder).map((name) => modeOf(join(folder, name))))).toEqual(new Set(['600']))
  })

  it('is used by one sandbox at a time, also of another process, until that ends or is killed', async () => {
    const dataFolder = temporaryFolder()
    const inUse = (pid: number) =>
      `The data folder ${dataFolder} is in use by the process ${pid}. Stop that sandbox, or pass another folder.`
    const sandbox = await startSandbox({ dataFolder })
    await expect(startSandbox({ dataFolder: `${dataFolder}/.` })).rejects.toThrow(inUse(process.pid))
    await sandbox.close()
    const holder = spawn(process.execPath, ['--eval', HOLD, join(dataFolder, 'sandbox.lock')], {
      cwd: import.meta.dirname,
    })
    const exit = once(holder, 'exit')
    onTestFinished(() => void holder.kill('SIGKILL'))
    await once(holder.stdout, 'data')
    await expect(startSandbox({ dataFolder })).rejects.toThrow(inUse(holder.pid!))
    holder.kill('SIGKILL')
    await exit
    await (await startSandbox({ dataFolder })).close()
  })

  it('has the seed of its first start, refuses another one, and is free again after a start that failed', async () => {
    const dataFolder = temporaryFolder()
    const secretWith = async (options: SandboxOptions) => {
      const sandbox = await startSandbox({ dataFolder, ...options })
      await sandbox.close()
      return sandbox.secret
    }
    const secret = await secretWith({ seed: 7 })
    expect([await secretWith({ seed: '7' }), await secretWith({})]).toEqual([secret, secret])
    await expect(secretWith({ seed: 8 })).rejects.toThrow(
      `The data folder ${dataFolder} was made with another seed. Leave out the seed, or pass another folder.`,
    )
    await expect(secretWith({ defaultEndpoint: 'nowhere' })).rejects.toThrow('"defaultEndpoint"')
    expect(await secretWith({})).toBe(secret)
  })

  it('may contain other files, and a start that was interrupted does no harm', async () => {
    const dataFolder = temporaryFolder()
    writeFileSync(join(dataFolder, 'notes.txt'), 'text')
    writeFileSync(join(dataFolder, 'sandbox.jsonl.new'), '{"see')
    for (let count = 0; count < 2; count++) await (await startSandbox({ dataFolder })).close()
  })

  it.each(['sandbox.lock', 'sandbox.jsonl', '.'])('is refused if this cannot be read: %s', async (name) => {
    const folder = temporaryFolder()
    const dataFolder = name === '.' ? join(folder, 'file') : folder
    if (name === '.') writeFileSync(dataFolder, '')
    else mkdirSync(join(dataFolder, name))
    const before = readdirSync(folder)
    await expect(startSandbox({ dataFolder })).rejects.toThrow(
      `The data folder ${dataFolder} cannot be used: E`,
    )
    expect(readdirSync(folder)).toEqual(before)
  })
})

it.each<[string, (stored: { service: Service; delivery: string }) => Promise<unknown>]>([
  ['a planned retry', ({ service }) => service.pass(1000)],
  ['a resend', ({ service, delivery }) => service.resend(delivery)],
  ['a payment without a webhook_url', async ({ service }) => service.pay((await service.intent()).data.id)],
])('without allowRemote, a stored address elsewhere gets nothing by %s', async (_, send) => {
  const before = await Service.inFolder(temporaryFolder(), { allowRemote: true })
  const endpoint = await Endpoint.start()
  endpoint.replyWith(status(500))
  // It leads here, but counts as an address outside of this machine.
  const url = endpoint.url.replace('127.0.0.1', '0.0.0.0')
  await before.setDefaultEndpoint(url)
  const [delivery] = await before.compose({ url, template: 'purchase-successful' })
  await before.sandbox.idle()
  expect(endpoint.received).toHaveLength(1)
  const service = await reopened(before)
  await send({ service, delivery: delivery!.id })
  await service.sandbox.idle()
  const last = (await service.deliveries()).at(-1)!
  expect(last).toMatchObject({ cause: { cause: 'address' } })
  expect(last.attempts.at(-1)).toMatchObject({
    answer: null,
    error:
      'The address must lead to this machine (localhost, 127.0.0.1 or [::1]), unless the sandbox is started with allowRemote',
  })
  expect(endpoint.received).toHaveLength(1)
})
