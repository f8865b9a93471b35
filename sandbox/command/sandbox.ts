import type { Sandbox, SandboxOptions as StartOptions } from '@service-signature/sandbox'
import { EXIT, print, readSandboxToken, remark, UsageError, type Io } from '@service-signature/terminal'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

/** The options of a command that runs the sandbox, as they are on the command line. */
export interface SandboxOptions {
  readonly port?: string
  readonly host?: string
  readonly tokenFile?: string
  readonly allowHost?: readonly string[]
  readonly publicUrl?: string
  readonly seed?: string
  readonly newSecret?: true
  readonly checks?: boolean
  readonly timeScale?: string
  readonly bodyStyle?: string
  readonly canonicalForm?: string
  readonly cardTokenEvents?: boolean
  readonly allowRemote?: true
  readonly defaultEndpoint?: string
  readonly data?: string
  readonly keep?: string
  readonly json?: true
}

/** Runs the payment service in test mode, until SIGINT or SIGTERM. */
export async function sandbox({ json, ...options }: SandboxOptions, io: Io): Promise<number> {
  const sandbox = await start(options, io)
  const { apiKeys, accountId, dataFolder } = sandbox
  const keys = [
    ['Account', accountId],
    ['API key', apiKeys.account],
    ['Public key', apiKeys.public],
    ['Organization key', apiKeys.organization],
    ['Data', dataFolder],
  ].flatMap(([name, value]) => (value === undefined ? [] : [`${name!.padEnd(16)}  ${value}`]))
  return runUntilSignal(sandbox, json, introduction(sandbox, options.defaultEndpoint, keys.join('\n')), io)
}

/** Where the page is, and the three steps to a first delivery, which the page has, too. What a person copies has a line of its own. */
export function introduction(
  sandbox: Sandbox,
  endpoint: string | undefined,
  more: string | undefined,
): string {
  const { url, publicUrl, token, secret } = sandbox
  const page = token === undefined ? publicUrl : `${publicUrl}/?token=${token}`
  const trigger = `npx service-signature trigger transaction.purchase.successful --sandbox ${url}`
  // That of the quick starts, so that the command runs as it is printed.
  const address = endpoint === undefined ? ' --url http://localhost:3000/webhooks' : ''
  return [
    'The payment service in test mode. Press Ctrl+C to stop. Its page:',
    page,
    '',
    '1. The secret for the .env of your endpoint, the same at the next start:',
    `WEBHOOK_SECRET=${secret}`,
    '',
    ...(endpoint === undefined
      ? ['2. The address of your endpoint: enter it on the page.']
      : ['2. The address of your endpoint, where events go:', endpoint]),
    '',
    '3. A first payment: press "Pay a test payment" on the page, or run:',
    `${token === undefined ? '' : `SANDBOX_TOKEN=${token} `}${trigger}${address}`,
    ...(more === undefined ? [] : ['', more]),
    '',
  ].join('\n')
}

/**
 * Starts a sandbox. Its keys and its secret are those of the last start in this project.
 *
 * @throws {UsageError} if it cannot start with these options
 */
export async function start(
  { port, tokenFile, timeScale, keep, allowHost, data, newSecret, checks, ...others }: SandboxOptions,
  io: Io,
  onAttempt?: StartOptions['onAttempt'],
): Promise<Sandbox> {
  const isKeptOtherwise = others.seed !== undefined || data !== undefined
  if (newSecret && isKeptOtherwise) throw new UsageError('--new-secret does not go with --seed or --data.')
  const options: Record<string, unknown> = {
    ...others,
    keySeed: isKeptOtherwise ? undefined : keySeedOfProject(io, { isNew: newSecret === true }),
    token: await readSandboxToken(tokenFile, io),
    checks: checks === undefined ? 'own' : checks ? 'all' : 'none',
    allowHosts: allowHost,
    timeScale: numberOf(timeScale),
    keep: numberOf(keep),
    dataFolder: data,
    onAttempt,
  }
  // Most of what a payment makes is garbage soon. By default V8 lets it grow to several times what is in use.
  setFlagsFromString('--heap-growing-percent=15')
  // "trigger" needs nothing of it.
  const { startSandbox } = await import('@service-signature/sandbox')
  // Bookmarks and `trigger` find it there.
  for (let next = port === undefined ? FIRST_PORT : LAST_PORT; ; next++) {
    try {
      const sandbox = await startSandbox({ ...options, port: numberOf(port) ?? next })
      if (next > FIRST_PORT && port === undefined)
        remark(io, `Port ${FIRST_PORT} is in use; this is port ${next}.`)
      return sandbox
    } catch (error) {
      if ((error as StartError).code === 'EADDRINUSE' && next < LAST_PORT) continue
      // What is wrong with a value, it reports itself.
      const problem = problemOf(error as StartError)
      throw problem === undefined ? error : new UsageError(problem)
    }
  }
}

/** Without --port, the first that is free of these. */
const FIRST_PORT = 4000
const LAST_PORT = 4099

/** `Number` takes no text at all for 0. */
function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : text.trim() === '' ? NaN : Number(text)
}

type StartError = NodeJS.ErrnoException & { address?: string; hostname?: string; port?: number }

/** What is wrong with the command line, or with the address that it names; undefined for any other error. */
function problemOf(error: StartError): string | undefined {
  const { name, code, syscall, message, port, address, hostname } = error
  if (['TypeError', 'RangeError', 'DataFolderError'].includes(name)) return message
  if (code === 'EADDRINUSE')
    return `Port ${port!} is in use. Stop the program that listens there, or pass another --port.`
  if (code === 'EACCES')
    return `Port ${port!} needs more rights than this user has. Pass a --port from 1024 on.`
  if (code === 'EADDRNOTAVAIL' || syscall === 'getaddrinfo')
    return `The sandbox cannot listen on ${address ?? hostname!}, because this machine has no such address. Pass another --host.`
  return undefined
}

/** Prints what it starts with, for people or as JSON, and closes it after SIGINT or SIGTERM. */
export async function runUntilSignal(
  { url, token, secret, apiKeys, accountId, dataFolder, close }: Sandbox,
  json: true | undefined,
  introduction: string,
  io: Io,
): Promise<number> {
  const signal = io.untilSignal()
  print(io, json ? JSON.stringify({ url, token, secret, apiKeys, accountId, dataFolder }) : introduction)
  await signal
  await close()
  return EXIT.good
}

/**
 * What the keys and the secret of a project are made of. It lies in the user's own state folder, so that the `.env` of the project
 * fits at the next start, and there is nothing to ignore in git. Undefined if it cannot be kept.
 */
export function keySeedOfProject(
  io: Io,
  { isNew, folder = process.cwd() }: { readonly isNew: boolean; readonly folder?: string },
): string | undefined {
  const { XDG_STATE_HOME: state, HOME: home, LOCALAPPDATA: local } = io.env
  const base = state ?? (home === undefined ? local : join(home, '.local', 'state'))
  if (base === undefined) return undefined
  const name = createHash('sha256').update(projectOf(folder)).digest('hex').slice(0, 16)
  const file = join(base, 'service-signature', `sandbox-${name}`)
  try {
    if (!isNew && existsSync(file)) return readFileSync(file, 'utf8').trim()
    const seed = randomUUID()
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, `${seed}\n`, { mode: 0o600 })
    return seed
  } catch (error) {
    remark(io, `The secret is not kept for the next start: ${(error as Error).message}`)
    return undefined
  }
}

/** The folder of the nearest package, or else the folder itself. */
function projectOf(folder: string): string {
  for (let each = folder; ; each = dirname(each)) {
    if (existsSync(join(each, 'package.json'))) return each
    if (each === dirname(each)) return folder
  }
}
