import type { Version } from '@service-signature/core'
import { UsageError } from './exit.js'
import { placeOf, readInput } from './input.js'
import type { Io } from './io.js'

/** The two keys of a merchant: the signing secret (v2, v3) and the account API key (v1). */
export type KeyName = 'secret' | 'apiKey'

/** The options of a command that name files with keys. `-` is standard input. */
export interface KeyOptions {
  readonly secretFile?: string | undefined
  readonly apiKeyFile?: string | undefined
}

export interface Keys {
  readonly secret?: string
  readonly apiKey?: string
}

export interface KeyRules {
  /** The keys without which the command cannot do its work. The other one is read too, if it is there. */
  readonly need: readonly KeyName[]
  /** The key whatever is wrong with it: that may be what is looked for. */
  readonly asIs?: boolean
}

interface KeyPlace {
  readonly what: string
  readonly file: 'secretFile' | 'apiKeyFile'
  readonly flag: string
  /** The one that is only for this command comes first; the pages use the other one. */
  readonly variables: readonly [string, string]
}

const PLACES: Readonly<Record<KeyName, KeyPlace>> = {
  secret: {
    what: 'signing secret',
    file: 'secretFile',
    flag: '--secret-file',
    variables: ['SERVICE_SIGNATURE_SECRET', 'WEBHOOK_SECRET'],
  },
  apiKey: {
    what: 'account API key',
    file: 'apiKeyFile',
    flag: '--api-key-file',
    variables: ['SERVICE_SIGNATURE_API_KEY', 'PAYMENT_API_KEY'],
  },
}

/** The keys that these versions are signed with: v1 with the API key, the others with the secret. */
export function keysFor(versions: readonly Version[]): readonly KeyName[] {
  const names = versions.map((version): KeyName => (version === 'v1' ? 'apiKey' : 'secret'))
  return [...new Set(names)]
}

/**
 * The keys: from the file that an option names, else from the environment.
 *
 * @example
 * const { secret } = await readKeys({ secretFile: options.secretFile }, io, { need: ['secret'] })
 *
 * @throws {UsageError} when a needed key is missing, or a key cannot be right; the message does not show it
 */
export async function readKeys(options: KeyOptions, io: Io, { need, asIs = false }: KeyRules): Promise<Keys> {
  const secret = await readKey('secret', options, io, asIs)
  const apiKey = await readKey('apiKey', options, io, asIs)
  const keys: Keys = { ...(secret !== undefined && { secret }), ...(apiKey !== undefined && { apiKey }) }
  for (const name of need) if (keys[name] === undefined) throw missingKey(name, io)
  return keys
}

/**
 * One of the two keys, if it is there.
 *
 * @throws {UsageError} when it cannot be right; the message does not show it
 */
export async function readKey(
  name: KeyName,
  options: KeyOptions,
  io: Io,
  asIs = false,
): Promise<string | undefined> {
  const { file, variables } = PLACES[name]
  const path = options[file]
  if (path !== undefined) return readKeyFile(path, io, asIs)
  // A compose file or a pipeline often sets a variable to an empty text.
  const variable = variables.find((each) => (io.env[each] ?? '') !== '')
  if (variable === undefined) return undefined
  const text = io.env[variable]!
  return asIs ? text : checkKey(text, variable)
}

/** The error for a key that is needed and missing. */
export function missingKey(name: KeyName, io: Io): UsageError {
  const { what, flag, variables } = PLACES[name]
  const empty = variables.find((variable) => io.env[variable] === '')
  const cause = empty === undefined ? `No ${what}.` : `No ${what}: ${empty} is empty.`
  return new UsageError(`${cause} Set ${variables[1]} or pass ${flag} <file>.`)
}

/**
 * The key in a file. Editors and `echo` end a file with a line break, which is not part of the key.
 *
 * @throws {UsageError} if it is missing, or cannot be right; the message does not show it
 */
export async function readKeyFile(name: string, io: Io, asIs = false): Promise<string> {
  const place = placeOf(name)
  const text = decode(await readInput(name, io), place).replace(/\r?\n$/, '')
  return asIs ? text : checkKey(text, place)
}

function decode(bytes: Uint8Array, place: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new UsageError(`The key in ${place} is not UTF-8 text: save it as UTF-8.`)
  }
}

function checkKey(text: string, place: string): string {
  if (text === '') throw new UsageError(`The key in ${place} is empty.`)
  if (text !== text.trim()) {
    throw new UsageError(
      `The key in ${place} has white space, or a byte order mark, at its start or end: take it off.`,
    )
  }
  // No service issues such a key, and core refuses it.
  if (text.length === 1) throw new UsageError(`The key in ${place} is a single character.`)
  return text
}
