// Each step runs atomically on the server. Each touches one key, so that it works on a cluster. Each may run twice: a
// client that lost the connection repeats commands that were not answered.

/** The value of a delivery that was handled. It differs from every claim. */
const DONE = 'done'

/** The value of a delivery that is being handled. */
export function claimedBy(token: string): string {
  return `claimed:${token}`
}

/** The meaning of the reply of {@link CLAIM}. */
export const STATUSES = ['new', 'in-progress', 'done'] as const

/** Arguments: the claim, and its lease in milliseconds. */
export const CLAIM = `
local held = redis.call('GET', KEYS[1])
if held == '${DONE}' then return 2 end
if held and held ~= ARGV[1] then return 1 end
if not held then redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
return 0`

/**
 * Arguments: the claim, and how long to remember, in milliseconds. If there is no claim, the lease ran out, and the
 * delivery was handled anyway.
 */
export const COMMIT = `
local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], '${DONE}', 'PX', ARGV[2])
return 1`

/** Argument: the claim. */
export const RELEASE = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`
