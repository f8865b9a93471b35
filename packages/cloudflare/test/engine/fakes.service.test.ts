import { d1Inbox } from '@service-signature/cloudflare'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runs } from '../../../core/test/support/runs.js'
import { BOOK, FAILING } from '../../../../test/contract/test/protocol/stores/fake-database.js'
import { FakeD1, SQL } from '../../../../test/contract/test/protocol/stores/fake-d1.js'
import { FakeObjects } from '../../../../test/contract/test/protocol/stores/fake-objects.js'
import { useWorkerd } from './support/workerd.js'
import { isMissing } from '@service-signature/contract/services'

const workerd = useWorkerd()

// No sum of the pauses is close to a time: the clock of the database also advances by itself.
const pause = fc.record({ pauseSeconds: fc.constantFrom(50, 80, 86_370) })
const token = fc.constantFrom('token 1', 'token 2')
const key = fc.constantFrom('key 1', 'key 2')
const statement = fc.oneof(
  fc.tuple(fc.constantFrom(SQL.claim, SQL.commit, SQL.release), key, token),
  fc.tuple(fc.constantFrom(SQL.insertOrFail.ignored, SQL.insertOrFail.honoured, SQL.state, BOOK), key),
  { weight: 1, arbitrary: fc.constant([FAILING]) },
)
/** Which statement an error is of. */
const kindOf = (error: unknown) => (String(error).includes('NOT NULL constraint') ? 'the key' : 'another')

const batch = fc.record({ statements: fc.array(statement, { minLength: 1, maxLength: 3 }) })

it.skipIf(isMissing('drivers'))('the fake D1 behaves like D1 in random sequences of batches', async () => {
  const db = await workerd().getD1Database('DB')
  await d1Inbox(db).migrate()
  await db.prepare('CREATE TABLE IF NOT EXISTS bookings (name TEXT)').run()
  // D1 has no error for a division by 0.
  const textOf = (text: string) => (text === FAILING ? `SELECT json('{')` : text.replace('$1', '?1'))
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof({ weight: 5, arbitrary: batch }, pause), { maxLength: 15 }),
      async (steps) => {
        let now = 0
        const fake = new FakeD1(undefined, () => now)
        const fakeDb = fake.connect()
        await db.exec('DELETE FROM service_signature_inbox; DELETE FROM bookings')
        for (const step of steps) {
          if ('pauseSeconds' in step) {
            const { pauseSeconds } = step
            now += pauseSeconds * 1000
            await db.exec(
              `UPDATE service_signature_inbox SET handled_at = handled_at - ${pauseSeconds}, claimed_until = claimed_until - ${pauseSeconds}`,
            )
            continue
          }
          const real = db.batch(
            step.statements.map(([text, ...values]) => db.prepare(textOf(text)).bind(...values)),
          )
          const expected = await real.then((results) => results.map(({ results: rows }) => rows), kindOf)
          const made = fakeDb.batch(
            step.statements.map(([text, ...values]) => fakeDb.prepare(text).bind(...values)),
          )
          const actual = await made.catch(kindOf)
          expect(actual).toEqual(expected)
          const { results: rows } = await db
            .prepare(
              `SELECT key, handled_at IS NOT NULL AS isHandled, claim_token AS token
            FROM service_signature_inbox ORDER BY key`,
            )
            .all()
          const fakeRows = [...fake.rows].sort(([a], [b]) => (a < b ? -1 : 1))
          expect(
            fakeRows.map(([stored, { handledAt, token: of = null }]) => ({
              key: stored,
              isHandled: Number(handledAt !== undefined),
              token: of,
            })),
          ).toEqual(rows)
          const { results: booked } = await db.prepare('SELECT name FROM bookings ORDER BY rowid').all()
          expect(fake.bookings.map((name) => ({ name }))).toEqual(booked)
        }
      },
    ),
    { numRuns: runs(25) },
  )
})

const request = fc.record({
  request: fc.constantFrom('claim', 'commit', 'release'),
  token,
  seconds: fc.constantFrom(60, 86_400),
})

it.skipIf(isMissing('drivers')).each(['OBJECTS', 'OLD_OBJECTS'] as const)(
  'the fake objects behave like those of the binding %s in random sequences of requests',
  async (binding) => {
    const namespace = await workerd().getDurableObjectNamespace(binding)
    let count = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 4, arbitrary: request }, pause), { maxLength: 15 }),
        async (steps) => {
          const name = `fakes ${++count}`
          const real = namespace.get(namespace.idFromName(name))
          const fake = new FakeObjects().object(name)
          for (const step of steps) {
            if ('pauseSeconds' in step) {
              await real.fetch(`https://test/advance?seconds=${step.pauseSeconds}`)
              const entry = fake.entries.get('entry') as { until: number } | undefined
              if (entry === undefined) continue
              fake.entries.set('entry', { ...entry, until: entry.until - step.pauseSeconds * 1000 })
              continue
            }
            const url = `https://test/${step.request}?token=${step.token}&seconds=${step.seconds}`
            expect(await (await fake.fetch(url)).text()).toBe(await (await real.fetch(url)).text())
            const { entry, alarm } = (await (await real.fetch('https://test/look')).json()) as {
              readonly entry: { readonly token?: string } | null
              readonly alarm: number | null
            }
            const own = fake.entries.get('entry') as { readonly token?: string } | undefined
            expect({ isThere: own !== undefined, token: own?.token, hasAlarm: fake.hasAlarm }).toEqual({
              isThere: entry !== null,
              token: entry?.token,
              hasAlarm: alarm !== null,
            })
          }
        },
      ),
      { numRuns: runs(25) },
    )
  },
)
