import {
  fetchSecret,
  fingerprint,
  type FetchSecretOptions,
  type OrganizationApiKey,
} from '@service-signature/core'
import {
  EXIT,
  missingKey,
  print,
  printJson,
  readKey,
  readKeyFile,
  RefusedError,
  UnreachableError,
  UsageError,
  type Io,
  type KeyOptions,
} from '@service-signature/terminal'

export interface SecretOptions extends Pick<KeyOptions, 'apiKeyFile'> {
  readonly baseUrl?: string
  readonly organizationKeyFile?: string
  readonly account?: string
  readonly live?: true
  readonly test?: true
  readonly reveal?: true
  readonly json?: true
}

/** Fetches the signing secret with the API key, and prints its fingerprint, or with `--reveal` the secret. */
export async function run(options: SecretOptions, io: Io): Promise<number> {
  const { baseUrl, reveal, json } = options
  if (baseUrl === undefined) {
    throw new UsageError('The address of the payment service is missing: pass --base-url https://...')
  }
  const secret = await fetchFrom(baseUrl, await readApiKey(options, io))
  const found = await fingerprint(secret)
  if (json) printJson(io, { fingerprint: found, ...(reveal && { secret }) })
  else print(io, reveal ? secret : found)
  return EXIT.good
}

async function readApiKey(options: SecretOptions, io: Io): Promise<string | OrganizationApiKey> {
  const { organizationKeyFile: file, account, live = false, test = false } = options
  if (file === undefined) {
    if (account !== undefined || live || test) {
      throw new UsageError('--account, --live and --test belong to --organization-key-file.')
    }
    const apiKey = await readKey('apiKey', options, io)
    if (apiKey === undefined) throw missingKey('apiKey', io)
    return apiKey
  }
  if (account === undefined || live === test) {
    throw new UsageError('--organization-key-file needs --account <id>, and --live or --test.')
  }
  return { organizationKey: await readKeyFile(file, io), accountId: account, live }
}

async function fetchFrom(baseUrl: string, apiKey: string | OrganizationApiKey): Promise<string> {
  const source = checked({ baseUrl, apiKey })
  try {
    return await source.get()
  } catch (error) {
    const { message, retryable } = error as Error & { readonly retryable: boolean }
    throw retryable ? new UnreachableError(inOptions(message)) : new RefusedError(inOptions(message))
  }
}

function checked(options: FetchSecretOptions): ReturnType<typeof fetchSecret> {
  try {
    return fetchSecret(options)
  } catch (error) {
    const { message } = error as Error
    throw new UsageError(inOptions(message))
  }
}

/** A message of core, with the options of the command line in place of those of core. */
function inOptions(message: string): string {
  return message
    .replace('"baseUrl"', '--base-url')
    .replace(
      /\{ organizationKey, accountId, live \}/,
      '--organization-key-file <file>, --account <id>, and --live or --test',
    )
}
