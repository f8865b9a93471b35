import { describe, expect, it } from 'vitest'
import { Endpoint, ok, status } from '../support/endpoint.js'
import { DECLINED, Service } from '../support/service.js'

const LIST = '/_sandbox/newest/deliveries/'

/** Two paid intents and a declined one, of two endpoints and two modes; one event of the last was refused. */
async function threePayments() {
  const service = await Service.start()
  const [first, second] = [await Endpoint.start(), await Endpoint.start()]
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
  await pay(second.url, {}, undefined, service.composite(true))
  const list = async (query = '') => (await service.get(LIST + query)).list
  const ids = async (query: string) => (await list(query)).map(({ id }) => id)
  const [liveB, liveA, failed, paidB, paidA] = (await ids('')) as [string, string, string, string, string]
  return { service, first, second, paid, declined, list, ids, liveB, liveA, failed, paidB, paidA }
}

describe('The list of deliveries', () => {
  it('shows of each its amount, account, source and last attempt, newest first', async () => {
    const { service, list, declined, second } = await threePayments()
    const [newest, refused, failed] = await list()
    expect(newest).toMatchObject({ type: 'intent.processed', amount: '10.00 EUR', is_live: true })
    const last = { status: 500, error: null, verdict: 'refused' }
    expect(refused).toMatchObject({ status: 'pending', last })
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

  it('filters by status, type, family, endpoint, intent, mode, source and verdict', async () => {
    const { service, ids, paid, declined, first, second, ...all } = await threePayments()
    const { liveB, liveA, failed, paidB, paidA } = all
    for (const forgery of [{ tamper: true }, { stale: true }, {}]) await service.resend(failed, forgery)
    const encoded = (url: string) => encodeURIComponent(url)
    for (const [query, expected] of [
      ['status=pending', [liveA]],
      ['status=delivered', [liveB, failed, paidB, paidA]],
      ['status=dead', []],
      ['type=intent', []],
      ['type=intent.processed', [liveB, paidB]],
      ['type=transaction.purchase.*', [liveA, failed, paidA]],
      [`endpoint=${encoded(first.url)}`, [paidB, paidA]],
      [`endpoint=${encoded(second.url)}&type=intent.*`, [liveB]],
      [`intent=${declined}`, [failed]],
      [`intent=${paid}&is_live=false`, [paidB, paidA]],
      ['is_live=true', [liveB, liveA]],
      ['source=payment', [liveB, liveA, failed, paidB, paidA]],
      ['source=composed', []],
      ['verdict=accepted-forgery', [failed]],
      ['verdict=refused', [liveA]],
      ['verdict=refused&status=delivered', []],
    ] as const) {
      expect(await ids(`?${query}`), query).toEqual(expected)
    }
  })

  it('searches ids, types, intents, addresses and bodies, in whatever case, in what arrived since, too', async () => {
    const { service, ids, declined, first, liveB, liveA, failed, paidB, paidA } = await threePayments()
    for (const [text, expected] of [
      [declined.toUpperCase(), [failed]],
      [paidA.slice(4, 20), [paidA]],
      ['PURCHASE.FAILED', [failed]],
      [new URL(first.url).host, [paidB, paidA]],
      ['"is_live":true', [liveB]],
      ['.*', []],
      ['processed', [liveB, paidB]],
      ['', [liveB, liveA, failed, paidB, paidA]],
    ] as const) {
      expect(await ids(`?search=${encodeURIComponent(text)}`), text).toEqual(expected)
    }
    await service.sent(first.url)
    const [newest] = await ids('')
    expect(await ids('?search=PROCESSED&status=delivered')).toEqual([newest, liveB, paidB])
    service.sandbox.reset()
    expect(await ids('?search=processed')).toEqual([])
  })

  it('keeps the deliveries of an intent together, the group with the newest one first', async () => {
    const { service, ids, first, liveB, liveA, failed, paidB, paidA } = await threePayments()
    const id = await service.order(first.url, { card: DECLINED })
    await service.sent(first.url, { card: DECLINED })
    await service.pay(id, { card: DECLINED })
    await service.compose({ url: first.url, template: 'purchase-failed', sequence: 'duplicate' })
    await service.sandbox.idle()
    const { list } = await service.get(`${LIST}?group=intent&limit=4`)
    expect(list.map((item) => item['intent'])).toEqual([null, null, id, id])
    expect((await ids('?group=intent')).slice(5)).toEqual([liveB, liveA, failed, paidB, paidA])
  })

  it('has pages, with the addresses of the next and the previous one', async () => {
    const { service, failed, paidB } = await threePayments()
    const page = await service.get(`${LIST}?limit=2&offset=2`)
    expect(page.list.map((item) => item.id)).toEqual([failed, paidB])
    const url = `${service.sandbox.url}${LIST}?limit=2&offset=`
    expect(page).toMatchObject({ count: 5, next: `${url}4`, previous: `${url}0` })
  })

  it('refuses values that a query cannot have', async () => {
    const service = await Service.start()
    for (const query of ['limit=501', 'limit=0', 'status=late', 'verdict=other', 'is_live=yes', 'group=type'])
      expect((await service.get(`${LIST}?${query}`)).code, query).toBe(400)
  })
})
