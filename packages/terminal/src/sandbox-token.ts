import type { Io } from './io.js'
import { readKeyFile } from './keys.js'

const VARIABLE = 'SANDBOX_TOKEN'

/** What to do if a sandbox asks for its token. */
export const HOW_TO_PASS_TOKEN = `Set ${VARIABLE} to its token, or pass the address that it printed, with ?token=...`

/** The token that a sandbox starts with: from the file that an option names, else from the environment. */
export async function readSandboxToken(file: string | undefined, io: Io): Promise<string | undefined> {
  if (file !== undefined) return readKeyFile(file, io)
  const variable = io.env[VARIABLE]
  // A compose file often sets a variable to an empty text.
  return variable === '' ? undefined : variable
}

/** The header for a sandbox: its address may have the token, as it is printed. */
export function authorizationFor(address: string, io: Io): Readonly<Record<string, string>> {
  const token = new URL(address).searchParams.get('token') ?? io.env[VARIABLE]
  return token ? { Authorization: `Bearer ${token}` } : {}
}
