import { WebhookError } from '../errors.js'
import type { WebhookEvent } from '../events/event.js'
import { code, string } from '../events/schema.js'
import { ownOptions, typeName } from '../shared/check-options.js'

/** The account and the mode of the deliveries that an endpoint accepts. */
export interface ExpectedDelivery {
  // Also undefined, so that `account: process.env.ACCOUNT` compiles. It is an error at start.

  /** The id of the account, or a list of ids. */
  readonly account?: string | readonly string[] | undefined
  /** Live mode, or test mode. */
  readonly live?: boolean | undefined
  /**
   * Accepts transaction and unrecognized events that do not say their mode, although `live` is given. v1 in `versions` proves
   * the mode.
   */
  readonly transactionMode?: 'unknown' | undefined
  /**
   * All keys that `apiKey` gives are of the expected account and mode, so that v1 in `versions` proves both. Needed where
   * `apiKey` is several keys, a function or a source; one key proves them anyway.
   */
  readonly apiKeys?: 'ours' | undefined
}

/** The type of `expect`: fixed, or a function that returns it for a request. */
export type ExpectOption<Context> =
  ExpectedDelivery | ((context: Context) => ExpectedDelivery | Promise<ExpectedDelivery>)

/**
 * With how many API keys v1 may be signed; none, if it is not required. A key belongs to one account in one mode, so a
 * signature with the only one proves both.
 */
type PossibleApiKeys = 'none' | 'one' | 'several'

/** An {@link ExpectedDelivery}, checked. */
interface Expected {
  readonly accounts: readonly string[] | undefined
  readonly live: boolean | undefined
  /** The signature proves the account and the mode. */
  readonly isProven: boolean
}

/** Refuses deliveries of other accounts and of the other mode. */
export class Expectation {
  readonly #expected: Expected | ((context: never) => unknown)
  readonly #apiKeys: PossibleApiKeys

  /** @throws {TypeError} on an expectation that cannot be checked */
  constructor(option: ExpectOption<never>, apiKeys: PossibleApiKeys) {
    this.#apiKeys = apiKeys
    this.#expected = typeof option === 'function' ? option : checkExpected(option, apiKeys)
  }

  /** Whether it depends on the request. `check` then returns a promise. */
  get isAsked(): boolean {
    return typeof this.#expected === 'function'
  }

  /** @throws {WebhookError} `ERR_ACCOUNT_UNEXPECTED`, `ERR_MODE_UNEXPECTED` */
  check(event: WebhookEvent, context: object | undefined): Promise<void> | undefined {
    const expected = this.#expected
    if (typeof expected === 'function') return this.#ask(expected, event, context)
    compare(event, expected)
    return undefined
  }

  async #ask(ask: (context: never) => unknown, event: WebhookEvent, context: object = {}): Promise<void> {
    compare(event, checkExpected(await ask(context as never), this.#apiKeys))
  }
}

function compare({ shape, payload }: WebhookEvent, { accounts, live, isProven }: Expected): void {
  const { account, data } = Object(payload) as NamesOwner
  if (accounts !== undefined) {
    const named = [shape !== 'intent' && account?.id, shape !== 'transaction' && data?.intent?.account]
    const ids = named.filter(string.fits)
    for (const id of ids) if (!accounts.includes(id)) throw otherAccount(id, accounts)
    if (ids.length === 0 && !isProven) throw noAccount()
  }
  // A transaction event does not say its mode. What that means was decided when the expectation was checked.
  if (live === undefined || shape === 'transaction') return
  const isLive = data?.intent?.is_live
  // An unrecognized event may not say it either, but an intent event should.
  if (isLive === live || (isLive == null && (isProven || shape !== 'intent'))) return
  const detail = `it is of ${modeName(isLive)}, expected ${modeName(live)}`
  throw new WebhookError('ERR_MODE_UNEXPECTED', { detail })
}

/**
 * A payload, read where the known families name account and mode: a transaction event in `account`, an intent event in `data`.
 * An unrecognized event may do so in either, and must not be refused for its family being new.
 */
interface NamesOwner {
  account?: { id?: unknown } | null
  data?: { intent?: { account?: unknown; is_live?: unknown } | null } | null
}

function otherAccount(account: string, accounts: readonly string[]): WebhookError {
  const expected = accounts.length === 1 ? quoted(accounts[0]!) : `one of ${accounts.length} accounts`
  const detail = `it is for account ${quoted(account)}, expected ${expected}`
  return new WebhookError('ERR_ACCOUNT_UNEXPECTED', { detail })
}

function noAccount(): WebhookError {
  const message =
    'The delivery is genuine, but its event is not recognized and names no account. ' +
    `v1 would prove it: versions: ['v3', 'v1'] with one API key, or with apiKeys: 'ours' in "expect".`
  return new WebhookError('ERR_ACCOUNT_UNEXPECTED', { message })
}

const NAMES = ['account', 'live', 'transactionMode', 'apiKeys']

/** @throws {TypeError} on an expectation that is misspelled or incomplete, or would expect nothing */
function checkExpected(option: unknown, apiKeys: PossibleApiKeys): Expected {
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
  for (const [name, word] of [['transactionMode', 'unknown'] as const, ['apiKeys', 'ours'] as const]) {
    if (own[name] === undefined || own[name] === word) continue
    throw new TypeError(`"expect.${name}" must be '${word}', or left out, got ${typeName(own[name])}`)
  }
  const isProven = apiKeys === 'one' || (apiKeys === 'several' && own.apiKeys === 'ours')
  if (live !== undefined && !isProven && transactionMode === undefined) {
    const fix =
      apiKeys === 'none'
        ? 'List v1 in "versions", because its key belongs to one mode'
        : `Pass one "apiKey", or add apiKeys: 'ours' if all its keys are of the expected account and mode`
    throw new TypeError(
      '"expect.live" cannot be checked for transaction events, which do not say their mode. ' +
        `${fix}, or accept them with transactionMode: 'unknown'`,
    )
  }
  return { accounts: account === undefined ? undefined : checkAccounts(account), live, isProven }
}

/** @throws {TypeError} on an id that no account can have */
function checkAccounts(account: unknown): readonly string[] {
  const accounts = Array.isArray(account) ? Array.from(account as unknown[]) : [account]
  for (const id of accounts) {
    if (code.fits(id) && id !== '') continue
    const given = typeof id === 'string' ? quoted(id) : typeName(id)
    throw new TypeError(`"expect.account" must be the id of an account, or a list of ids, got ${given}`)
  }
  if (accounts.length === 0)
    throw new TypeError('"expect.account" is an empty list: no delivery would be accepted')
  return accounts as readonly string[]
}

function quoted(id: string): string {
  return JSON.stringify(id.slice(0, 80))
}

function modeName(isLive: unknown): string {
  if (typeof isLive !== 'boolean') return 'an unknown mode'
  return isLive ? 'live mode' : 'test mode'
}
