const SECOND = 1000
const MINUTE = 60 * SECOND

/** How long to wait after an attempt that failed. After the last of them the delivery is dead. */
export const RETRY_DELAYS_MS = [SECOND, 5 * SECOND, 25 * SECOND, 2 * MINUTE, 10 * MINUTE] as const

/** How long an endpoint may take to answer. */
export const TIMEOUT_MS = 10 * SECOND
