import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { KeptMap, Memory, sizeOf } from '../src/memory.js'
import { NoStorage } from '../src/storage/storage.js'
import { Endpoint, ok, status } from './support/endpoint.js'
import { ACCOUNTS, CUSTOMERS, DECLINED, INTENTS, Service } from './support/service.js'
import { digestsOf, partsOf } from './support/signature.js'

const KIBIBYTE = 1024

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** The bytes that are in use in the heap of this process. */
function heapInUse(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

function fieldsOf(kibibytes: number) {
  return { custom_fields: { text: 'x'.repeat(kibibytes * KIBIBYTE) } }
}

describe('KeptMap', () => {
  const storage = new NoStorage('seed')
  const bytesOf = ({ bytes }: { bytes: number }) => bytes

  it('forgets the least recently used values of every map of a memory', () => {
    const memory = new Memory(10)
    const forgotten: string[] = []
    const onForget = (_value: object, key: string) => forgotten.push(key)
    const maps = [
      new KeptMap({ memory, storage, kind: 'one', onForget, bytesOf }),
      new KeptMap({ memory, storage, kind: 'other', onForget, bytesOf }),
    ] as const
    maps[0].set('a', { bytes: 3 })
    maps[1].set('b', { bytes: 3 })
    maps[0].set('c', { bytes: 4 })
    expect(forgotten).toEqual([])
    maps[0].touch('a')
    maps[0].touch('unknown')
    maps[0].touch(undefined)
    maps[1].set('d', { bytes: 5 })
    expect(forgotten).toEqual(['b', 'c'])
    expect([[...maps[0].keys()], [...maps[1].keys()]]).toEqual([['a'], ['d']])
  })

  it('measures a value again when it was changed or replaced, and no longer when it is deleted', () => {
    const map = new KeptMap({ memory: new Memory(10), storage, kind: 'item', bytesOf })
    const growing = { bytes: 1 }
    map.set('a', { bytes: 2 }).set('b', growing).set('c', { bytes: 6 })
    growing.bytes = 3
    map.changed('b')
    map.changed('unknown')
    expect([...map.keys()]).toEqual(['b', 'c'])
    expect(map.delete('unknown')).toBe(false)
    map.set('c', { bytes: 1 })
    map.delete('b')
    map.set('d', { bytes: 9 })
    expect([...map.keys()]).toEqual(['c', 'd'])
  })

  it('keeps nothing that is larger than the whole memory', () => {
    const map = new KeptMap({ memory: new Memory(10), storage, kind: 'item' })
    map.set('a', { text: 'x'.repeat(11) })
    expect(map.size).toBe(0)
  })
})

describe('sizeOf', () => {
  it('counts names, texts and what holds them', () => {
    const text = 'x'.repeat(1000)
    expect(sizeOf(text)).toBeGreaterThanOrEqual(1000)
    expect(sizeOf(`${text}\u20ac`)).toBeGreaterThanOrEqual(2002)
    expect(sizeOf({ [text]: [text, 1, true, null] })).toBeGreaterThanOrEqual(2000)
    // An empty array takes 16 bytes at least, and its place in the outer one.
    expect(sizeOf(Array.from({ length: 1000 }, () => []))).toBeGreaterThanOrEqual(24_000)
  })
})

describe('The memory of a sandbox', () => {
  it('forgets the oldest intents and deliveries, and keeps the newest ones', async () => {
    const service = await Service.start({ maxBytes: 1000 * KIBIBYTE })
    const endpoint = await Endpoint.start()
    const ids: string[] = []
    for (let count = 0; count < 20; count++) {
      const { id } = (await service.intent({ webhook_url: endpoint.url, ...fieldsOf(50) })).data
      ids.push(id)
      await service.pay(id)
      await service.sandbox.drained()
    }
    expect(endpoint.received).toHaveLength(40)
    expect((await service.get(`${INTENTS}${ids[0]!}/`)).code).toBe(404)
    expect((await service.get(`${INTENTS}${ids.at(-1)!}/`)).code).toBe(200)
    const deliveries = await service.deliveries()
    expect(deliveries.at(-1)!['intent']).toBe(ids.at(-1))
    expect(deliveries.length).toBeLessThan(20)
    expect(deliveries.length).toBeGreaterThan(5)
  })

  it('keeps no large body for the sake of its beginning, which the log of calls has', async () => {
    const service = await Service.start({ maxBytes: KIBIBYTE })
    await service.intent(fieldsOf(800))
    const before = heapInUse()
    for (let count = 0; count < 40; count++) await service.intent(fieldsOf(800))
    expect((await service.get('/_sandbox/requests/')).count).toBe(41)
    // Each call has 800 KiB in its body and as much in its answer, and of each of them the log keeps 16 KiB.
    expect(heapInUse() - before).toBeLessThan(10 * KIBIBYTE * KIBIBYTE)
  })

  it('forgets a pending delivery together with its retries', async () => {
    const service = await Service.start({ maxBytes: 200 * KIBIBYTE })
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(500))
    const { id } = (await service.intent({ webhook_url: endpoint.url })).data
    await service.pay(id)
    await service.sandbox.idle()
    expect(endpoint.received).toHaveLength(2)
    await service.intent(fieldsOf(199))
    await service.sandbox.drained()
    expect((await service.get('/_sandbox/deliveries/')).list).toEqual([])
    service.clock.advance(1000)
    await service.sandbox.idle()
    expect(endpoint.received).toHaveLength(2)
  })

  it('forgets a delivery while it is being sent, and does not retry it', async () => {
    const service = await Service.start({ maxBytes: 200 * KIBIBYTE })
    const endpoint = await Endpoint.start()
    let answer = () => undefined as unknown
    endpoint.replyWith((response) => {
      answer = () => response.writeHead(500).end()
    })
    const { id } = (await service.intent({ webhook_url: endpoint.url })).data
    await service.pay(id)
    await endpoint.until(1)
    await service.intent(fieldsOf(199))
    answer()
    await service.sandbox.drained()
    service.clock.advance(1000)
    await service.sandbox.idle()
    expect(endpoint.received).toHaveLength(1)
  })

  it('signs and explains a delivery whose intent was forgotten', async () => {
    const service = await Service.start({ maxBytes: 450 * KIBIBYTE })
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(500), ok)
    const { id } = (await service.intent({ webhook_url: endpoint.url, ...fieldsOf(100) })).data
    await service.pay(id, { card: DECLINED })
    await service.sandbox.idle()
    await service.intent(fieldsOf(300))
    expect((await service.get(`${INTENTS}${id}/`)).code).toBe(404)
    service.clock.advance(1000)
    await service.sandbox.drained()
    const retry = endpoint.received[1]!
    const { t, ...digests } = partsOf(retry)
    const { secret, apiKeys } = service.sandbox
    expect(digests).toEqual(digestsOf(retry.bytes, t, secret, apiKeys.account))
    const [delivery] = (await service.get('/_sandbox/deliveries/')).list
    const { data } = await service.get(`/_sandbox/deliveries/${delivery!.id}/explain/`)
    expect(data['report']).toMatchObject({ ok: true })
  })

  it('keeps a customer and a card that are in use', async () => {
    const service = await Service.start({ maxBytes: 100 * KIBIBYTE })
    const idle = await service.customer({ first_name: 'Idle' })
    const customer = await service.customer({ first_name: 'Jane' })
    const card_token = await service.savedCard(customer)
    for (let count = 0; count < 10; count++) {
      await service.intent({ customer, card_token, ...fieldsOf(20) })
    }
    expect((await service.get(`${CUSTOMERS}${customer}/`)).code).toBe(200)
    expect((await service.get(`${CUSTOMERS}${customer}/cards/`)).list).toMatchObject([{ id: card_token }])
    expect((await service.get(`${CUSTOMERS}${idle}/`)).code).toBe(400)
  })

  it('removes a card that is forgotten from every vault, and an agreement from its providers', async () => {
    const service = await Service.start({ maxBytes: 100 * KIBIBYTE })
    const customer = await service.customer()
    const card_token = await service.savedCard(customer, { type: 'BOTH' })
    const recurring_data = { agreement_id: 'agreement' }
    await service.intent({ customer, card_token, payment_type: 'UNSCHEDULED', recurring_data })
    expect((await service.provider('north'))['coverage']).toHaveLength(1)
    await service.intent(fieldsOf(98))
    const state = await service.state()
    for (const list of ['customers', 'card_tokens', 'agreements']) expect(state[list], list).toEqual([])
    expect(state['vault']).toEqual({ card_tokens: [] })
    expect(await service.provider('north')).toMatchObject({ card_tokens: [], coverage: [] })
  })

  it('leaves the names out of an event where the customer was forgotten', async () => {
    const service = await Service.start({ maxBytes: 100 * KIBIBYTE })
    const endpoint = await Endpoint.start()
    const customer = await service.customer({
      first_name: 'Jane',
      custom_fields: { text: 'x'.repeat(60_000) },
    })
    const { id } = (await service.intent({ customer, webhook_url: endpoint.url })).data
    // The customer and the intent were used at the same time, the customer first.
    await service.intent(fieldsOf(60))
    await service.pay(id)
    await service.sandbox.drained()
    expect(JSON.stringify(endpoint.events)).not.toContain('Jane')
    expect(endpoint.received).toHaveLength(2)
  })

  it('accounts are limited in number, since they are never forgotten', async () => {
    const service = await Service.start()
    const key = service.sandbox.apiKeys.organization
    for (let count = 1; count < 1000; count++) await service.post(ACCOUNTS, { name: 'A' }, key)
    expect((await service.post(ACCOUNTS, { name: 'A' }, key)).code).toBe(409)
    expect((await service.post(ACCOUNTS, { name: 'A'.repeat(256) }, key)).code).toBe(400)
  })

  it('keys are limited in number, since they are never forgotten', async () => {
    const service = await Service.start()
    const codes = new Set<number>()
    for (let count = 0; count < 2000; count++) {
      const { code } = await service.post('/_sandbox/keys/', { type: 'organization' })
      codes.add(code)
      if (code !== 200) break
    }
    expect([...codes]).toEqual([200, 409])
  })
})

describe('GET /_sandbox/state', () => {
  it('leaves out the oldest of a list where all would be too much, and says how many', async () => {
    const service = await Service.start()
    expect((await service.state())['omitted']).toEqual({})
    const ids: string[] = []
    for (let count = 0; count < 5; count++) ids.push((await service.intent(fieldsOf(600))).data.id)
    const { data, text } = await service.get('/_sandbox/state')
    expect((data['intents'] as { id: string }[]).map(({ id }) => id)).toEqual(ids.slice(2))
    expect(data['omitted']).toEqual({ intents: 2 })
    expect(text.length).toBeLessThan(2 * KIBIBYTE * KIBIBYTE + 10_000)
  })
})
