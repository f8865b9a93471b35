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

/** The command was used in a wrong way: an unknown option, a missing key, a file that is not there. Exit code 2. */
export class UsageError extends Error {
  readonly code = 'ERR_USAGE'
  readonly exitCode = EXIT.wrongUse
}

/** The other side answered, and the answer is no. Exit code 1. */
export class RefusedError extends Error {
  readonly code = 'ERR_REFUSED'
  readonly exitCode = EXIT.refused
}

/** No answer: refused connection, time-out, a service that is down. Exit code 3. */
export class UnreachableError extends Error {
  readonly code = 'ERR_UNREACHABLE'
  readonly exitCode = EXIT.unreachable
}

/** An error that says with which code to end. */
export type ExitError = UsageError | RefusedError | UnreachableError

export function isExitError(error: unknown): error is ExitError {
  return error instanceof UsageError || error instanceof RefusedError || error instanceof UnreachableError
}
