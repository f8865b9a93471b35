/**
 * What makes a request a forgery, which an endpoint must refuse. The last is made by the sandbox itself, to find why a delivery was
 * refused: the signature is that of the body parsed and re-serialized.
 */
export const FORGERIES = ['tamper', 'stale', 'wrong-secret', 'no-signature', 'reprinted'] as const

export type Forgery = (typeof FORGERIES)[number]

/** How old the timestamp of a stale request is. */
export const STALE_SECONDS = 3600

/** The body as an endpoint has it that parses the JSON and prints it again; undefined if it is not JSON. */
export function reprint(body: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(body))
  } catch {
    return undefined
  }
}
