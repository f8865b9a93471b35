import { describe, expect, it, onTestFinished } from 'vitest'
import { countRoundTrips } from './support/count-round-trips.js'
import { SERVER_LIBRARIES, useServer } from './support/databases.js'
import { newWebhook, sentAgain } from '@service-signature/contract/inbox-cases'
import { isMissing } from '@service-signature/contract/services'

const { server } = useServer()

describe.skipIf(isMissing('postgres')).each([
  // postgres.js sends its BEGIN by itself.
  { name: 'pg', handled: 2, duplicate: 2, failed: 2, refusedOnce: 3 },
  { name: 'postgres.js', handled: 3, duplicate: 3, failed: 3, refusedOnce: 4 },
])('with $name, the inbox makes', ({ name, ...expected }) => {
  const library = SERVER_LIBRARIES.find((each) => each.name === name)!

  /** An inbox with a connection that is open. */
  async function open() {
    const trips = await countRoundTrips(server().port)
    const url = server().url.replace(String(server().port), String(trips.port))
    const pool = library.connect(url, { max: 1 })
    onTestFinished(() => pool.close())
    const inbox = pool.inbox()
    await inbox.migrate()
    return { inbox, trips }
  }

  it(`${expected.handled} round trips besides those of the handler`, async () => {
    const { inbox, trips } = await open()
    const handler = () => undefined
    expect(await trips.during(() => inbox.handle(newWebhook(), handler))).toBe(expected.handled)
    const booking = (client: unknown) => library.on(client, 'SELECT 1')
    expect(await trips.during(() => inbox.handle(newWebhook(), booking))).toBe(expected.handled + 1)
  })

  it(`${expected.handled} round trips for a new key of once, and ${expected.refusedOnce} for another`, async () => {
    const { inbox, trips } = await open()
    const once = (key: string) => inbox.once(key, () => undefined).catch(() => undefined)
    expect(await trips.during(() => once(`new with ${name}`))).toBe(expected.handled)
    expect(await trips.during(() => once(`new with ${name}`))).toBe(expected.refusedOnce)
    await inbox.claim(`claimed with ${name}`)
    expect(await trips.during(() => once(`claimed with ${name}`))).toBe(expected.refusedOnce)
  })

  it(`${expected.duplicate} round trips for a duplicate`, async () => {
    const { inbox, trips } = await open()
    const webhook = newWebhook()
    await inbox.handle(webhook, () => undefined)
    const handling = () => inbox.handle(sentAgain(webhook), () => undefined)
    expect(await trips.during(handling)).toBe(expected.duplicate)
  })

  it(`${expected.failed} round trips if the handler fails`, async () => {
    const { inbox, trips } = await open()
    const failing = () => inbox.handle(newWebhook(), () => Promise.reject(new Error('no')))
    expect(await trips.during(() => failing().catch(() => undefined))).toBe(expected.failed)
  })
})
