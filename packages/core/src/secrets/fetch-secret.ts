import { checkFetchOptions } from './fetched/check-options.js'
import type { FetchSecretOptions } from './fetched/options.js'
import { createSecretSource, type FetchedSecretSource } from './fetched/source.js'
import { sleep } from '../time-limit.js'

/**
 * Takes the signing secret from the payment service (S4.2), once, and keeps it: "The secret does not change".
 *
 * If the service is down the secret goes on being used for `staleSeconds`. Where there is none to use, deliveries are
 * refused with `ERR_SECRET_UNAVAILABLE`, so that the sender sends them again.
 *
 * @example
 * const secret = fetchSecret({ baseUrl: 'https://api.example.com', apiKey })
 * await secret.prime() // optional: a wrong API key shows now, and not with the first delivery
 * const verifier = createVerifier({ secret })
 *
 * @example
 * // With an organization API key (S5.2)
 * fetchSecret({ baseUrl, apiKey: { organizationKey, accountId: 'acc_1', live: true } })
 *
 * @throws {TypeError} on an option that is misspelled, missing or of the wrong type
 * @throws {RangeError} on a number out of bounds
 */
export function fetchSecret(options: FetchSecretOptions): FetchedSecretSource {
  return createSecretSource({ ...checkFetchOptions(options), sleep, random: Math.random })
}
