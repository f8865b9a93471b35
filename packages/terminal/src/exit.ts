/** What every command ends with. 130 is Ctrl-C, as shells count it. */
export const EXIT = {
  good: 0,
  /** A delivery was refused, or a weakness was found. */
  refused: 1,
  wrongUse: 2,
  unreachable: 3,
  /** A fault of the command itself. */
  fault: 70,
  interrupted: 130,
} as const

/** An error that says with which code to end. */
abstract class ExitError extends Error {
  abstract readonly code: string
  abstract readonly exitCode: number
}

/** The command was used in a wrong way: an unknown option, a missing key, a file that is not there. Exit code 2. */
export class UsageError extends ExitError {
  readonly code = 'ERR_USAGE'
  readonly exitCode = EXIT.wrongUse
}

/** The other side answered, and the answer is no. Exit code 1. */
export class RefusedError extends ExitError {
  readonly code = 'ERR_REFUSED'
  readonly exitCode = EXIT.refused
}

/** No answer: refused connection, time-out, a service that is down. Exit code 3. */
export class UnreachableError extends ExitError {
  readonly code = 'ERR_UNREACHABLE'
  readonly exitCode = EXIT.unreachable
}

/** Whether an error says with which code to end. Each package has a copy of these classes, so they are not compared. */
export function isExitError(error: unknown): error is ExitError {
  return error instanceof Error && 'exitCode' in error
}

/** Runs code that reads what the user wrote: an error of it is wrong use. */
export function asUsage<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
