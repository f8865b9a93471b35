import { describe, expect, it } from 'vitest'
import { open, type TestConnection, type TestDatabase, type TestInbox } from './open.js'

/** A connection that can be cut. */
interface CutConnection extends Pick<TestConnection, 'inbox'> {
  /** Cuts it when the database next answers. */
  readonly loseNextAnswer: () => void
  /** Cuts it, and each new one at once, until `heal`. */
  readonly goDown: () => void
  readonly heal: () => void
}

/**
 * The behaviour of an inbox whose answers can be lost.
 *
 * @param connect connects to the database; the test disconnects at its end
 */
export function lostAnswerCases(database: TestDatabase, connect: () => Promise<CutConnection>): void {
  describe('a claim whose answer was lost', () => {
    const unavailable = { code: 'ERR_REPLAY_STORE_UNAVAILABLE', status: 503, retryAfterSeconds: 10 }

    async function lost() {
      const { other, table } = await open(database)
      const { inbox: makeInbox, ...connection } = await connect()
      const inbox = makeInbox({ table, timeoutSeconds: 1 })
      await inbox.claim('another, with which it connects')
      connection.loseNextAnswer()
      await expect(inbox.claim('key')).rejects.toMatchObject(unavailable)
      expect((await other.claim('key')).status).toBe('in-progress')
      return { inbox, other, ...connection }
    }

    /** As soon as it is answered: a library may report the end of a connection once more. */
    const isNew = (inbox: TestInbox) =>
      expect
        .poll(async () => {
          try {
            return (await inbox.claim('key')).status
          } catch {
            return 'unavailable'
          }
        })
        .toBe('new')

    it('is released by the next try of the same inbox, before its lease ends', async () => {
      const { inbox, other } = await lost()
      await isNew(inbox)
      expect((await other.claim('key')).status).toBe('in-progress')
      expect((await inbox.claim('key')).status).toBe('in-progress')
    })

    it('is released by the first try that reaches the database', async () => {
      const { inbox, goDown, heal } = await lost()
      goDown()
      await expect(inbox.claim('key')).rejects.toMatchObject(unavailable)
      heal()
      await isNew(inbox)
    })
  })
}
