import { within } from '@service-signature/core/shared/within'
import { FailureError, POOL_EMPTY } from './failures.js'

/** Whether an argument is what a package calls a pool, a client or a database. */
export function hasMethods(value: unknown, ...names: readonly string[]): boolean {
  const methods = Object(value) as Readonly<Record<string, unknown>>
  return names.every((name) => typeof methods[name] === 'function')
}

/** A connection of a pool, which may wait for a free one forever. One that arrives after the time limit is returned to the pool. */
export async function connectionWithin<Connection extends { release(): void }>(
  seconds: number,
  connecting: Promise<Connection>,
): Promise<Connection> {
  try {
    return await within(seconds, connecting, () => noConnection(seconds))
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

export function noConnection(seconds: number): FailureError {
  return new FailureError({
    what: `the pool had no free connection within ${seconds} s`,
    fix: POOL_EMPTY.fix,
  })
}

/** The answer of a database. A half-open connection never answers, so the database cannot set the limit. */
export function answerWithin<Answer>(seconds: number, answering: Promise<Answer>): Promise<Answer> {
  return within(seconds, answering, () => {
    const fix = 'Look for locks, a slow disk or a lost connection; "timeoutSeconds" sets the limit.'
    return new FailureError({ what: `there was no answer within ${seconds} s`, fix })
  })
}
