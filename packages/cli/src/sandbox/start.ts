import { startSandbox as start, type Sandbox, type SandboxOptions } from '@service-signature/sandbox'
import { readSandboxToken, UsageError, type Io } from '@service-signature/terminal'
import { setFlagsFromString } from 'node:v8'
import { keySeedOfProject } from './key-seed.js'

/** The options of a command that runs the sandbox. */
export interface StartOptions {
  readonly port?: string
  readonly host?: string
  readonly tokenFile?: string
  readonly allowHost?: readonly string[]
  readonly publicUrl?: string
  readonly seed?: string
  readonly newSecret?: boolean
  readonly checks?: boolean
  readonly timeScale?: string
  readonly bodyStyle?: string
  readonly canonicalForm?: string
  readonly cardTokenEvents: boolean
  readonly allowRemote?: true
  readonly defaultEndpoint?: string
  readonly data?: string
  readonly keep?: string
}

/**
 * Starts a sandbox. Its keys and its secret are those of the last start in this project.
 *
 * @throws {UsageError} if it cannot start with these options
 */
export async function startSandbox(
  {
    port,
    tokenFile,
    timeScale,
    keep,
    allowHost = [],
    data,
    newSecret = false,
    checks,
    ...others
  }: StartOptions,
  io: Io,
  more: SandboxOptions = {},
): Promise<Sandbox> {
  const isKeptOtherwise = others.seed !== undefined || data !== undefined
  if (newSecret && isKeptOtherwise) throw new UsageError('--new-secret does not go with --seed or --data.')
  const keySeed = isKeptOtherwise ? undefined : keySeedOfProject(io, { isNew: newSecret })
  // Most of what a payment makes is garbage soon. By default V8 lets it grow to several times what is in use.
  setFlagsFromString('--heap-growing-percent=15')
  const options: Record<string, unknown> = {
    ...others,
    ...more,
    checks: checksOf(checks),
    keySeed,
    token: await readSandboxToken(tokenFile, io),
    allowHosts: allowHost,
    ...(port !== undefined && { port: toNumber(port) }),
    ...(timeScale !== undefined && { timeScale: toNumber(timeScale) }),
    ...(keep !== undefined && { keep: toNumber(keep) }),
    ...(data !== undefined && { dataFolder: data }),
  }
  // What is wrong with a value, it reports itself.
  return start(options).catch((error: unknown) => {
    const problem = problemOf(error as StartError)
    throw problem === undefined ? error : new UsageError(problem)
  })
}

/** Which deliveries are checked: with "--checks", with "--no-checks", with neither. */
function checksOf(flag: boolean | undefined): NonNullable<SandboxOptions['checks']> {
  if (flag === undefined) return 'own'
  return flag ? 'all' : 'none'
}

/** `Number` takes no text at all for 0. */
function toNumber(text: string): number {
  return text.trim() === '' ? NaN : Number(text)
}

type StartError = NodeJS.ErrnoException & { address?: string; hostname?: string; port?: number }

/** What is wrong with the command line, or with the address that it names; undefined for any other error. */
function problemOf(error: StartError): string | undefined {
  const { name, code, syscall, port, message } = error
  if (['TypeError', 'RangeError', 'DataFolderError'].includes(name)) return message
  if (code === 'EADDRINUSE') {
    return `Port ${port!} is in use. Stop the program that listens there, or pass another --port.`
  }
  if (code === 'EACCES')
    return `Port ${port!} needs more rights than this user has. Pass a --port from 1024 on.`
  if (code === 'EADDRNOTAVAIL' || syscall === 'getaddrinfo') {
    const host = error.address ?? error.hostname!
    return `The sandbox cannot listen on ${host}, because this machine has no such address. Pass another --host.`
  }
  return undefined
}

/** The address of the page for a browser, which needs the token once. */
export function pageOf({ publicUrl, token }: Sandbox): string {
  return token === undefined ? publicUrl : `${publicUrl}/?token=${token}`
}

/** One line of JSON for scripts. */
export function forMachines({ url, token, secret, apiKeys, accountId, dataFolder }: Sandbox): string {
  return JSON.stringify({ url, token, secret, apiKeys, accountId, dataFolder })
}
