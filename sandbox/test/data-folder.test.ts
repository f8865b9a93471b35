import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { manualClock, startSandbox } from '../server/index.js'
import { RETRY_DELAYS_MS } from '../server/deliveries/sending.js'
import { Endpoint, never, ok, status } from './support/endpoint.js'
import { temporaryFolder } from './support/folder.js'
import {
  ACCOUNTS,
  CARD,
  CARD_TOKENS,
  CUSTOMERS,
  DECLINED,
  NEEDS_CVV,
  Service,
  SIGNATURE_KEY,
} from './support/service.js'

/** What a sandbox does with the file by which it holds a folder, in a process of its own. */
const HOLD = `
  require('node:fs').writeFileSync(process.argv[1], String(process.pid))
  setInterval(() => undefined, 60_000)
  console.log('held')
`

/** All that the sandbox shows of its state. */
async function everything(service: Service): Promise<unknown> {
  const answers = [
    await service.get('/_sandbox/overview/'),
    await service.post('/_sandbox/keys/reveal/'),
    await service.get('/_sandbox/settings/'),
    await service.get('/_sandbox/newest/deliveries/'),
    await service.get('/_sandbox/newest/intents/'),
    await service.get(SIGNATURE_KEY),
  ]
  const { apiKeys, accountId, organizationId, secret } = service.sandbox
  const shown = [answers.map(({ data }) => data), await service.deliveries()]
  // The port is another one after a restart.
  const text = JSON.stringify(shown).replaceAll(service.sandbox.url, 'http://sandbox')
  return { shown: JSON.parse(text) as unknown, apiKeys, accountId, organizationId, secret }
}

async function reopened(service: Service): Promise<Service> {
  const { dataFolder, close } = service.sandbox
  await close()
  return Service.inFolder(dataFolder!, {}, manualClock(service.clock.now()))
}

describe('A sandbox with a data folder', () => {
  it('has everything again after a restart', async () => {
    const service = await Service.inFolder(temporaryFolder())
    const endpoint = await Endpoint.start()
    const customer = await service.customer({ first_name: 'Jane', custom_fields: { text: '\ud800 \u20ac' } })
    const both = await service.savedCard(customer, { type: 'BOTH' })
    await service.savedCard(customer, { type: 'PROVIDER', provider: 'south' })
    const recurring = { payment_type: 'UNSCHEDULED', recurring_data: { agreement_id: 'monthly' } }
    await service.intent({ customer, card_token: both, webhook_url: endpoint.url, ...recurring })
    await service.pay((await service.intent({ webhook_url: endpoint.url })).data.id, { card: DECLINED })
    await service.pay((await service.intent({ customer })).data.id, { card: NEEDS_CVV })
    await service.post(CARD_TOKENS, { customer })
    await service.post(ACCOUNTS, { name: 'Second' }, service.sandbox.apiKeys.organization)
    const key = (await service.post('/_sandbox/keys/', { type: 'account', is_live: true })).data
    await service.post(`/_sandbox/keys/${key.id}/revoke/`)
    await service.post('/_sandbox/secret/rotate/')
    await service.faults({ providers: { north: 'declines' }, chance: 0.5 })
    await service.call('PUT', '/_sandbox/settings/', { body: { default_endpoint: endpoint.url } })
    await service.sandbox.drained()
    const [delivery] = await service.deliveries()
    await service.post(`/_sandbox/deliveries/${delivery!.id}/resend/`, { tamper: true })
    const before = await everything(service)
    const again = await reopened(service)
    expect(await everything(again)).toEqual(before)
  })

  it('continues after a restart: cards are charged, steps are finished, and no id is given twice', async () => {
    const service = await Service.inFolder(temporaryFolder())
    const customer = await service.customer()
    const card_token = await service.savedCard(customer)
    const waiting = (await service.intent({ customer })).data.id
    await service.pay(waiting, { card: NEEDS_CVV })
    const key = service.sandbox.apiKeys.public
    const card = { card: CARD, expiry: '12/34', holder: 'Jane Doe', cvv: '123' }
    const collected = (await service.call('POST', '/vault/cards/', { key, body: card })).data.id
    const again = await reopened(service)
    expect((await again.pay(waiting, { cvv: '123' })).data.status).toBe('PROCESSED')
    const charged = await again.intent({ customer, card_token })
    expect(charged.data.status).toBe('PROCESSED')
    const ids = [card_token, waiting, charged.data.id, customer, await again.customer()]
    ids.push(await again.savedCard(customer), (await again.intent()).data.id)
    expect(new Set(ids).size).toBe(ids.length)
    const { id } = (await again.intent()).data
    const body = { cardData: collected }
    expect((await again.call('POST', `/vault/intents/${id}/pay/`, { key, body })).data.status).toBe(
      'PROCESSED',
    )
  })

  it('removes from the folder what is deleted or too old', async () => {
    const folder = temporaryFolder()
    const service = await Service.inFolder(folder)
    const customer = await service.customer()
    const to_delete_customer_card_token = await service.savedCard(customer, { type: 'BOTH' })
    await service.post(`${CARD_TOKENS}delete/`, { customer, to_delete_customer_card_token })
    const text = 'x'.repeat(1000)
    const ids: string[] = []
    for (let count = 0; count < 10; count++) {
      ids.push((await service.intent({ customer, custom_fields: { text } })).data.id)
    }
    await service.sandbox.close()
    const small = await Service.inFolder(folder, { keep: 3 })
    const last = (await small.intent({ customer })).data.id
    await small.sandbox.close()
    const again = await Service.inFolder(folder)
    const left = (await again.state())['intents']!.map(({ id }) => id)
    expect(left).toEqual([...ids, last].slice(-3))
    expect((await again.get(`${CUSTOMERS}${customer}/`)).code).toBe(200)
    expect(await again.state()).toMatchObject({ card_tokens: [] })
    expect(await again.provider('north')).toMatchObject({ counts: { card_tokens: 0 } })
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
    const last = await reopened(again)
    expect(await everything(last)).toMatchObject({ secret: (first as { secret: string }).secret })
    expect(await last.state()).toMatchObject({ customers: [], intents: [], faults: {} })
    expect(last.sandbox.apiKeys).toEqual(service.sandbox.apiKeys)
  })

  it('names its folder on the page and to programs', async () => {
    const folder = join(temporaryFolder(), 'new', 'data')
    const service = await Service.inFolder(folder)
    expect(service.sandbox.dataFolder).toBe(folder)
    const { data } = await service.get('/_sandbox/overview/')
    expect(data).toMatchObject({ is_persistent: true, data_folder: folder })
  })

  it('prefers the default endpoint of its option to the one that was set before the restart', async () => {
    const folder = temporaryFolder()
    const service = await Service.inFolder(folder)
    const settings = '/_sandbox/settings/'
    await service.call('PUT', settings, { body: { default_endpoint: 'http://127.0.0.1:1/set' } })
    await service.sandbox.close()
    const defaultEndpoint = 'http://127.0.0.1:1/option'
    const other = await Service.inFolder(folder, { defaultEndpoint })
    expect((await other.get(settings)).data).toEqual({ default_endpoint: defaultEndpoint })
    await other.call('PUT', settings, { body: { default_endpoint: null } })
    expect((await (await reopened(other)).get(settings)).data).toEqual({ default_endpoint: null })
  })
})

describe('Deliveries after a restart', () => {
  it('sends a planned retry when it is due, and not before', async () => {
    const service = await Service.inFolder(temporaryFolder())
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(500), ok)
    const { id } = (await service.intent({ webhook_url: endpoint.url })).data
    await service.pay(id, { card: DECLINED })
    await service.sandbox.idle()
    const again = await reopened(service)
    await again.sandbox.idle()
    again.clock.advance(RETRY_DELAYS_MS[0] - 1)
    await again.sandbox.idle()
    expect(endpoint.received).toHaveLength(1)
    again.clock.advance(1)
    await again.sandbox.drained()
    expect(endpoint.received).toHaveLength(2)
    expect(await again.deliveries()).toMatchObject([{ status: 'delivered', attempt_count: 2 }])
  })

  it('sends overdue retries at once, and goes on with the schedule', async () => {
    const service = await Service.inFolder(temporaryFolder())
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(500), status(500), ok)
    const { id } = (await service.intent({ webhook_url: endpoint.url })).data
    await service.pay(id, { card: DECLINED })
    await service.sandbox.idle()
    service.clock.advance(RETRY_DELAYS_MS[0] - 1)
    service.clock.advance(0)
    await service.sandbox.close()
    const { dataFolder } = service.sandbox
    const later = manualClock(service.clock.now() + 60_000)
    const again = await Service.inFolder(dataFolder!, {}, later)
    await again.sandbox.idle()
    expect(endpoint.received).toHaveLength(2)
    again.clock.advance(RETRY_DELAYS_MS[1])
    await again.sandbox.drained()
    expect(await again.deliveries()).toMatchObject([{ status: 'delivered', attempt_count: 3 }])
  })

  it('sends what the end of the process interrupted, the events of a payment in their order', async () => {
    const service = await Service.inFolder(temporaryFolder())
    const endpoint = await Endpoint.start()
    endpoint.replyWith(never)
    for (let count = 0; count < 3; count++) {
      await service.pay((await service.intent({ webhook_url: endpoint.url })).data.id)
    }
    await endpoint.until(3)
    endpoint.replyWith(ok)
    const again = await reopened(service)
    await again.sandbox.drained()
    const sent = endpoint.events.slice(3).map(({ type, intent, data }) => {
      const { id } = (intent ?? (data as { intent: { id: string } }).intent) as { id: string }
      return `${id} ${type}`
    })
    const intents = (await again.state())['intents']!.map(({ id }) => id)
    for (const id of intents) {
      expect(sent.filter((line) => line.startsWith(id))).toEqual([
        `${id} transaction.purchase.successful`,
        `${id} intent.processed`,
      ])
    }
    expect(sent).toHaveLength(6)
  })

  it('loses what the end of the process interrupted, if that fault is set', async () => {
    const service = await Service.inFolder(temporaryFolder())
    const endpoint = await Endpoint.start()
    endpoint.replyWith(never)
    await service.pay((await service.intent({ webhook_url: endpoint.url })).data.id)
    await endpoint.until(1)
    await service.faults({ deliveries: { lost: true } })
    const again = await reopened(service)
    await again.sandbox.drained()
    expect((await again.deliveries()).map(({ status }) => status)).toEqual(['lost', 'lost'])
    expect(endpoint.received).toHaveLength(1)
  })

  it('keeps how an event was composed', async () => {
    const service = await Service.inFolder(temporaryFolder())
    const endpoint = await Endpoint.start()
    endpoint.replyWith(never)
    const body = {
      url: endpoint.url,
      payload: { type: 'dispute.opened' },
      no_signature: true,
      retries: false,
    }
    await service.post('/_sandbox/compose/', body)
    await endpoint.until(1)
    endpoint.replyWith(status(401))
    const again = await reopened(service)
    await again.sandbox.drained()
    expect(endpoint.received[1]!.headers['service-signature']).toBeUndefined()
    expect(await again.deliveries()).toMatchObject([{ status: 'dead', source: 'composed', intent: null }])
  })
})

describe('The data folder', () => {
  it('can be read only by the user who runs the sandbox, because it contains keys', async () => {
    const folder = join(temporaryFolder(), 'data')
    const sandbox = await startSandbox({ dataFolder: folder })
    expect((statSync(folder).mode & 0o777).toString(8)).toBe('700')
    const modes = readdirSync(folder).map((name) => (statSync(join(folder, name)).mode & 0o777).toString(8))
    expect(new Set(modes)).toEqual(new Set(['600']))
    await sandbox.close()
  })

  it('is used by one sandbox at a time', async () => {
    const dataFolder = temporaryFolder()
    const sandbox = await startSandbox({ dataFolder })
    await expect(startSandbox({ dataFolder: `${dataFolder}/.` })).rejects.toThrow(
      `The data folder ${dataFolder} is in use by the process ${process.pid}. Stop that sandbox, or pass another folder.`,
    )
    await sandbox.close()
    await (await startSandbox({ dataFolder })).close()
  })

  it('is refused while another process uses it, and is free again if that was killed', async () => {
    const dataFolder = temporaryFolder()
    await (await startSandbox({ dataFolder })).close()
    const holder = spawn(process.execPath, ['--eval', HOLD, join(dataFolder, 'sandbox.lock')], {
      cwd: import.meta.dirname,
    })
    const exit = once(holder, 'exit')
    onTestFinished(() => void holder.kill('SIGKILL'))
    await once(holder.stdout, 'data')
    await expect(startSandbox({ dataFolder })).rejects.toThrow(
      `The data folder ${dataFolder} is in use by the process ${holder.pid}. Stop that sandbox, or pass another folder.`,
    )
    holder.kill('SIGKILL')
    await exit
    await (await startSandbox({ dataFolder })).close()
  })

  it('is free again after a start that failed', async () => {
    const dataFolder = temporaryFolder()
    await expect(startSandbox({ dataFolder, defaultEndpoint: 'nowhere' })).rejects.toThrow(
      '"defaultEndpoint"',
    )
    await (await startSandbox({ dataFolder })).close()
  })

  it('keeps the seed of its first start, and refuses another one', async () => {
    const dataFolder = temporaryFolder()
    const first = await startSandbox({ dataFolder, seed: 7 })
    await first.close()
    const same = await startSandbox({ dataFolder, seed: '7' })
    await same.close()
    const unnamed = await startSandbox({ dataFolder })
    await unnamed.close()
    expect([same.secret, unnamed.secret]).toEqual([first.secret, first.secret])
    await expect(startSandbox({ dataFolder, seed: 8 })).rejects.toThrow(
      `The data folder ${dataFolder} was made with another seed. Leave out the seed, or pass another folder.`,
    )
  })

  it('may contain other files, and a start that was interrupted does no harm', async () => {
    const dataFolder = temporaryFolder()
    writeFileSync(join(dataFolder, 'notes.txt'), 'text')
    writeFileSync(join(dataFolder, 'sandbox.jsonl.new'), '{"see')
    await (await startSandbox({ dataFolder })).close()
    await (await startSandbox({ dataFolder })).close()
  })

  it('is refused if the file that locks it cannot be read', async () => {
    const dataFolder = temporaryFolder()
    mkdirSync(join(dataFolder, 'sandbox.lock'))
    await expect(startSandbox({ dataFolder })).rejects.toThrow(
      `The data folder ${dataFolder} cannot be used: EISDIR`,
    )
  })

  it('is refused if it is a file', async () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    await expect(startSandbox({ dataFolder: file })).rejects.toThrow(
      `The data folder ${file} cannot be used: `,
    )
  })

  it('is refused if its file cannot be read', async () => {
    const dataFolder = temporaryFolder()
    mkdirSync(join(dataFolder, 'sandbox.jsonl'))
    await expect(startSandbox({ dataFolder })).rejects.toThrow(
      `The data folder ${dataFolder} cannot be used: EISDIR`,
    )
    expect(readdirSync(dataFolder)).toEqual(['sandbox.jsonl'])
  })

  it('is refused if a line of its file is damaged, and stays as it is', async () => {
    const dataFolder = temporaryFolder()
    const service = await Service.inFolder(dataFolder)
    await service.customer()
    await service.sandbox.close()
    const file = join(dataFolder, 'sandbox.jsonl')
    const lines = readFileSync(file, 'utf8').split('\n')
    const damaged = [...lines.slice(0, 4), lines[4]!.slice(0, -1), ...lines.slice(5)].join('\n')
    writeFileSync(file, damaged)
    await expect(startSandbox({ dataFolder })).rejects.toThrow(
      `Line 5 of ${file} is not JSON. Restore the file, or pass another folder.`,
    )
    expect(readFileSync(file, 'utf8')).toBe(damaged)
    expect(readdirSync(dataFolder)).toEqual(['sandbox.jsonl'])
  })
})
