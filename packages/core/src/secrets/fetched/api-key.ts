import { ownOptions } from '../../options.js'
import { checkKey } from '../keys.js'

/** An organization API key, used in place of an account API key (S5.2). */
export interface OrganizationApiKey {
  readonly organizationKey: string
  /** The account to act on. */
  readonly accountId: string
  /** `true` for live mode, `false` for test mode. */
  readonly live: boolean
}

const ITEMS = [
  'organizationKey',
  'accountId',
  'live',
] as const satisfies readonly (keyof OrganizationApiKey)[]

/** What a header value carries on every runtime. Others make `fetch` throw an error that quotes the key. */
const VISIBLE_ASCII = /^[\x21-\x7e]+$/

/**
 * The value of `X-Api-Key`: the account API key alone, or the three items of S5.2 "joined by commas, with no spaces".
 *
 * @throws {TypeError} on a key that cannot be right; the message does not show it
 */
export function apiKeyHeader(apiKey: string | OrganizationApiKey | undefined): string {
  if (typeof apiKey !== 'object' || (apiKey as unknown) === null) {
    return checkJoined(checkCharacters(checkKey(apiKey, 'apiKey'), 'apiKey'))
  }
  const { organizationKey, accountId, live } = ownOptions(apiKey, ITEMS, '"apiKey"')
  if (typeof live !== 'boolean') {
    throw new TypeError('"apiKey.live" must be true for live mode or false for test mode')
  }
  const key = checkItem(checkKey(organizationKey, 'apiKey.organizationKey'), 'apiKey.organizationKey')
  return `${key},${checkItem(accountId, 'apiKey.accountId')},${live}`
}

/** No key has a comma, so a text with one is the three items of S5.2, joined already. */
function checkJoined(apiKey: string): string {
  if (apiKey.includes(',') && !/^[^,]+,[^,]+,(?:true|false)$/.test(apiKey)) {
    throw new TypeError(
      '"apiKey" has a comma, but is not <organization key>,<account id>,<true or false>. Pass { organizationKey, accountId, live }.',
    )
  }
  return apiKey
}

function checkItem(item: unknown, name: string): string {
  if (typeof item !== 'string' || item === '')
    throw new TypeError(`"${name}" must be a string, and not empty`)
  if (item.includes(',')) {
    throw new TypeError(`"${name}" has a comma, which would end it: the items are joined by commas`)
  }
  return checkCharacters(item, name)
}

function checkCharacters(text: string, name: string): string {
  if (/\s/.test(text)) throw new TypeError(`"${name}" has white space in it, and no key has`)
  if (!VISIBLE_ASCII.test(text)) throw new TypeError(`"${name}" has a character that a header cannot carry`)
  return text
}
