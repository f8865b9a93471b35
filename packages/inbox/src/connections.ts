import { within } from '@service-signature/core/receiver'

/** A connection of a pool, which may wait for a free one forever. One that arrives after the time limit is returned to the pool. */
export async function connectionWithin<Connection extends { release(): void }>(
  seconds: number,
  connecting: Promise<Connection>,
): Promise<Connection> {
  try {
    const noConnection = () => new Error(`The pool had no free connection within ${seconds} s`)
    return await within(seconds, connecting, noConnection)
  } catch (error) {
    connecting.then(
      (connection) => {
        connection.release()
      },
      () => undefined,
    )
    throw error
  }
}

/** The answer of a database. A half-open connection never answers, so the database cannot set the limit. */
export function answerWithin<Answer>(seconds: number, answering: Promise<Answer>): Promise<Answer> {
  return within(seconds, answering, () => new Error(`The database did not answer within ${seconds} s`))
}
