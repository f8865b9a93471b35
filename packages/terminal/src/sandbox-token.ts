import { UsageError } from './exit.js'
import { placeOf } from './input.js'
import type { Io } from './io.js'
import { readKeyFile } from './keys.js'

const VARIABLE = 'SANDBOX_TOKEN'

/** What to do if a sandbox asks for its token. */
export const HOW_TO_PASS_TOKEN = `Set ${VARIABLE} to its token, or pass the address that it printed, with ?token=...`

/** The token that a sandbox starts with: from the file that an option names, else from the environment. */
export async function readSandboxToken(file: string | undefined, io: Io): Promise<string | undefined> {
  if (file !== undefined) return checkedToken(await readKeyFile(file, io), placeOf(file))
  return checkedToken(io.env[VARIABLE], VARIABLE)
}

/**
 * The header for a sandbox: its address may have the token, as it is printed.
 *
 * @throws {UsageError} on a text that no sandbox has as its token
 */
export function authorizationFor(address: string, io: Io): Readonly<Record<string, string>> {
  const inAddress = new URL(address).searchParams.get('token')
  const token =
    inAddress === null ? checkedToken(io.env[VARIABLE], VARIABLE) : checkedToken(inAddress, '?token=')
  return token === undefined ? {} : { Authorization: `Bearer ${token}` }
}

/** A token from a place; an empty text is a missing one, because a compose file often sets a variable to that. */
function checkedToken(token: string | undefined, place: string): string | undefined {
  if (token === undefined || token === '') return undefined
  if (/^[\w.-]{16,100}$/.test(token)) return token
  throw new UsageError(`${place} must have a token of 16 to 100 letters, digits, "-", "." or "_"`)
}
