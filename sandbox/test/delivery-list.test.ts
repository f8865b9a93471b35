import { describe, expect, it } from 'vitest'
import { Endpoint, ok, status } from './support/endpoint.js'
import { DECLINED, Service } from './support/service.js'

const LIST = '/_sandbox/newest/deliveries/'

/** Two paid intents and a declined one, of two endpoints and two modes; one event of the last was refused. */
async function threePayments() {
  const service = await Service.start()
  const [first, second] = [await Endpoint.start(), await Endpoint.start()]
  const live = service.composite(true)
  const pay = async (url: string, fields: object, card?: string, key?: string) => {
    const { id } = (await service.intent({ webhook_url: url, ...fields }, key)).data
    await service.pay(id, card === undefined ? undefined : { card })
    await service.sandbox.idle()
    service.clock.advance(1)
    return id
  }
  const paid = await pay(first.url, { amount: 10.5, custom_fields: { name: 'J\u00fcrgen' } })
  const declined = await pay(second.url, { amount: 200, amount_currency: 'JPY' }, DECLINED)
  second.replyWith(status(500), ok)
  const paidLive = await pay(second.url, {}, undefined, live)
  const list = async (query = '') => (await service.get(`${LIST}${query}`)).list
  const ids = async (query: string) => (await list(query)).map(({ id }) => id)
  const all = await ids('')
  return { service, first, second, paid, declined, paidLive, list, ids, all }
}

describe('GET /_sandbox/newest/deliveries/', () => {
  it('shows of each delivery its amount, account, source and last attempt', async () => {
    const { service, list, declined, second } = await threePayments()
    const [newest, refused, failed] = await list()
    expect(newest).toMatchObject({ type: 'intent.processed', amount: '10.00 EUR', is_live: true })
    expect(refused).toMatchObject({
      status: 'pending',
      last: { status: 500, error: null, verdict: 'refused' },
    })
    expect(failed).toMatchObject({
      type: 'transaction.purchase.failed',
      intent: declined,
      url: second.url,
      account: service.sandbox.accountId,
      is_live: false,
      source: 'payment',
      amount: '200 JPY',
      attempt_count: 1,
      last: { status: 204, error: null, duration_ms: 0, verdict: 'accepted' },
    })
    expect(Date.parse((failed!['last'] as { at: string }).at)).toBe(service.clock.now() - 2)
  })

  it('shows no last attempt before the first one', async () => {
    const service = await Service.start()
    await service.faults({ deliveries: { delayMs: 1000 } })
    const { id } = (await service.intent({ webhook_url: 'http://127.0.0.1:1/' })).data
    await service.pay(id)
    expect((await service.get(LIST)).list).toMatchObject([{ last: null }, { last: null }])
  })

  it('filters by status, type, family, endpoint, intent, mode and source', async () => {
    const { ids, all, paid, declined, first, second } = await threePayments()
    const [liveB, liveA, failed, paidB, paidA] = all
    expect(all).toHaveLength(5)
    const encoded = (url: string) => encodeURIComponent(url)
    for (const [query, expected] of [
      ['status=pending', [liveA]],
      ['status=delivered', [liveB, failed, paidB, paidA]],
      ['status=dead', []],
      ['type=intent.processed', [liveB, paidB]],
      ['type=intent', []],
      ['type=transaction.purchase.*', [liveA, failed, paidA]],
      ['type=intent.*', [liveB, paidB]],
      [`endpoint=${encoded(first.url)}`, [paidB, paidA]],
      [`endpoint=${encoded(second.url)}&type=intent.*`, [liveB]],
      [`intent=${declined}`, [failed]],
      [`intent=${paid}&is_live=false`, [paidB, paidA]],
      ['is_live=true', [liveB, liveA]],
      ['source=payment', all],
      ['source=composed', []],
    ] as const) {
      expect(await ids(`?${query}`), query).toEqual(expected)
    }
  })

  it('filters by the outcome of any attempt, and counts the forgeries that were accepted', async () => {
    const { service, list, ids, all } = await threePayments()
    const [, liveA, failed] = all
    for (const forgery of [{ tamper: true }, { stale: true }, {}]) {
      await service.post(`/_sandbox/deliveries/${failed!}/resend/`, forgery)
    }
    expect(await ids('?verdict=accepted-forgery')).toEqual([failed])
    expect(await ids('?verdict=refused')).toEqual([liveA])
    expect(await ids('?verdict=refused&status=delivered')).toEqual([])
    expect(await ids('?verdict=no-answer')).toEqual([])
    const counts = (await list()).map((each) => each['forgeries_accepted'])
    expect(counts).toEqual([0, 0, 2, 0, 0])
    expect((await service.get(`${LIST}?verdict=other`)).code).toBe(400)
  })

  it('searches ids, types, intents, addresses and bodies, in whatever case', async () => {
    const { ids, all, declined, first } = await threePayments()
    const [liveB, liveA, failed, paidB, paidA] = all
    for (const [text, expected] of [
      [declined.toUpperCase(), [failed]],
      [paidA!.slice(4, 20), [paidA]],
      ['PURCHASE.FAILED', [failed]],
      [new URL(first.url).host, [paidB, paidA]],
      ['"is_live":true', [liveB]],
      ['j\u00dcrgen', [paidB, paidA]],
      ['.*', []],
      ['clearingInstitute', [liveB, paidB]],
      ['', [liveB, liveA, failed, paidB, paidA]],
    ] as const) {
      expect(await ids(`?search=${encodeURIComponent(text)}`), text).toEqual(expected)
    }
  })

  it('finds deliveries that arrive after the same search', async () => {
    const { service, ids, all, first } = await threePayments()
    const [liveB, , failed, paidB] = all
    expect(await ids('?search=processed')).toEqual([liveB, paidB])
    const { id } = (await service.intent({ webhook_url: first.url })).data
    await service.pay(id)
    await service.sandbox.idle()
    const [newest] = await ids('')
    expect(await ids('?search=processed')).toEqual([newest, liveB, paidB])
    expect(await ids('?search=PROCESSED&status=delivered')).toEqual([newest, liveB, paidB])
    expect(await ids('?search=failed')).toEqual([failed])
    service.sandbox.reset()
    expect(await ids('?search=failed')).toEqual([])
  })

  it('keeps the deliveries of an intent together, the group with the newest one first', async () => {
    const { service, ids, all, first } = await threePayments()
    const [liveB, liveA, failed, paidB, paidA] = all
    const { id } = (await service.intent({ webhook_url: first.url })).data
    await service.pay(id, { card: DECLINED })
    await service.pay(id, { card: DECLINED })
    await service.sandbox.idle()
    const [latest, , ...others] = await ids('')
    expect(others).toEqual(all)
    expect((await ids('?group=intent')).slice(2)).toEqual([liveB, liveA, failed, paidB, paidA])
    const later = await service.intent({ webhook_url: first.url })
    await service.pay(later.data.id, { card: DECLINED })
    await service.pay(id, { card: DECLINED })
    await service.sandbox.idle()
    const grouped = (await service.get(`${LIST}?group=intent&limit=4`)).list
    expect(grouped.map((item) => item['intent'])).toEqual([id, id, id, later.data.id])
    expect(grouped[1]!.id).toBe(latest)
    const composed = { url: first.url, template: 'purchase-failed' }
    for (let count = 0; count < 2; count++) await service.post('/_sandbox/compose/', composed)
    const { list } = await service.get(`${LIST}?group=intent&limit=3`)
    expect(list.map((item) => item['intent'])).toEqual([null, null, id])
  })

  it.each([
    ['limit=501', 400],
    ['limit=0', 400],
    ['limit=500', 200],
    ['status=late', 400],
    ['is_live=yes', 400],
    ['group=type', 400],
  ])('?%s: %i', async (query, code) => {
    const service = await Service.start()
    expect((await service.get(`${LIST}?${query}`)).code).toBe(code)
  })
})
