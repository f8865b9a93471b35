import { ownOptions } from '../check-options.js'
import { typeName, WebhookError } from '../errors.js'
import type { WebhookEvent } from './event.js'
import { code } from './schema.js'

/** The account and the mode of the deliveries that an endpoint accepts. */
export interface ExpectedDelivery {
  // Also undefined: `account: process.env.ACCOUNT` must compile under exactOptionalPropertyTypes. It is an error at start.

  /** The id of the account, or a list of ids. */
  readonly account?: string | readonly string[] | undefined
  /** Live mode, or test mode. */
  readonly live?: boolean | undefined
  /** Accepts transaction events, which do not say their mode, although `live` is given. v1 in `versions` proves the mode. */
  readonly transactionMode?: 'unknown' | undefined
}

/** The type of `expect`: fixed, or a function that returns it for a request. */
export type ExpectOption<Context> =
  ExpectedDelivery | ((context: Context) => ExpectedDelivery | Promise<ExpectedDelivery>)

/** An {@link ExpectedDelivery}, checked. */
interface Expected {
  readonly accounts: readonly string[] | undefined
  readonly live: boolean | undefined
}

/** Refuses deliveries of other accounts and of the other mode. */
export class Expectation {
  readonly #expected: Expected | ((context: never) => unknown)
  /** The signature proves the account and the mode. */
  readonly #isProven: boolean

  /** @throws {TypeError} on an expectation that cannot be checked */
  constructor(option: ExpectOption<never>, isProven: boolean) {
    this.#isProven = isProven
    this.#expected = typeof option === 'function' ? option : checkExpected(option, this.#isProven)
  }

  /** Whether it depends on the request. `check` then returns a promise. */
  get isAsked(): boolean {
    return typeof this.#expected === 'function'
  }

  /**
   * Returns, or resolves, for an event of the expected account and mode.
   *
   * @throws {WebhookError} `ERR_ACCOUNT_UNEXPECTED`, `ERR_MODE_UNEXPECTED`
   * @throws {TypeError} if the function does not return an expectation
   */
  check(event: WebhookEvent, context: object | undefined): Promise<void> | undefined {
    const expected = this.#expected
    if (typeof expected === 'function') return this.#ask(expected, event, context)
    this.#compare(event, expected)
    return undefined
  }

  async #ask(ask: (context: never) => unknown, event: WebhookEvent, context: object = {}): Promise<void> {
    this.#compare(event, checkExpected(await ask(context as never), this.#isProven))
  }

  #compare(event: WebhookEvent, { accounts, live }: Expected): void {
    if (event.shape === 'unrecognized') {
      if (this.#isProven) return
      const detail = 'the event is not recognized, so it names no account'
      throw new WebhookError('ERR_ACCOUNT_UNEXPECTED', { detail })
    }
    const account = event.shape === 'intent' ? event.payload.data.intent.account : event.payload.account.id
    if (accounts !== undefined && !accounts.includes(account)) {
      const expected = accounts.length === 1 ? quoted(accounts[0]!) : `one of ${accounts.length} accounts`
      const detail = `it is for account ${quoted(account)}, expected ${expected}`
      throw new WebhookError('ERR_ACCOUNT_UNEXPECTED', { detail })
    }
    // A transaction event does not say its mode. What that means was decided when the expectation was checked.
    if (live === undefined || event.shape === 'transaction') return
    const { is_live: isLive } = event.payload.data.intent
    if (isLive === live || (isLive == null && this.#isProven)) return
    const detail = `it is of ${modeName(isLive)}, expected ${modeName(live)}`
    throw new WebhookError('ERR_MODE_UNEXPECTED', { detail })
  }
}

const NAMES = ['account', 'live', 'transactionMode'] as const

/** @throws {TypeError} on an expectation that is misspelled or incomplete, or would expect nothing */
function checkExpected(option: unknown, isProven: boolean): Expected {
  const own = ownOptions(option as ExpectedDelivery, NAMES, '"expect"')
  const { account, live, transactionMode } = own
  for (const name of ['account', 'live'] as const) {
    // It would expect nothing, although the operator wanted it to.
    if (name in own && own[name] === undefined) {
      throw new TypeError(`"expect.${name}" is undefined. Is the environment variable set?`)
    }
  }
  if (account === undefined && live === undefined) {
    throw new TypeError('"expect" must have "account", "live" or both')
  }
  if (live !== undefined && typeof live !== 'boolean') {
    throw new TypeError(`"expect.live" must be true or false, got ${typeName(live)}`)
  }
  if (transactionMode !== undefined && (transactionMode as unknown) !== 'unknown') {
    throw new TypeError(`"expect.transactionMode" must be 'unknown', or left out`)
  }
  if (live !== undefined && !isProven && transactionMode === undefined) {
    throw new TypeError(
      '"expect.live" cannot be checked for transaction events, which do not say their mode. List v1 in "versions", because its ' +
        `key belongs to one mode, or accept them with transactionMode: 'unknown'`,
    )
  }
  return { accounts: account === undefined ? undefined : checkAccounts(account), live }
}

/** @throws {TypeError} on an id that no account can have */
function checkAccounts(account: unknown): readonly string[] {
  const accounts = Array.isArray(account) ? Array.from(account as unknown[]) : [account]
  for (const id of accounts) {
    if (code.fits(id) && id !== '') continue
    throw new TypeError(
      `"expect.account" must be the id of an account, or a list of ids, got ${typeof id === 'string' ? quoted(id) : typeName(id)}`,
    )
  }
  if (accounts.length === 0)
    throw new TypeError('"expect.account" is an empty list: no delivery would be accepted')
  return accounts as readonly string[]
}

function quoted(id: string): string {
  return JSON.stringify(id.slice(0, 80))
}

function modeName(isLive: boolean | null | undefined): string {
  if (isLive == null) return 'an unknown mode'
  return isLive ? 'live mode' : 'test mode'
}
