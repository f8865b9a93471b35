import { parseArgs, type ParseArgsConfig } from 'node:util'
import type { SandboxOptions } from './options.js'
import { startSandbox, type Sandbox } from './sandbox.js'
import { DataFolderError } from './storage/data-folder.js'
import { packageVersion } from './version.js'

/** The part of a process that the command uses. */
export interface MainIo {
  readonly stdout: { write(text: string): unknown; readonly isTTY?: boolean | undefined }
  readonly stderr: { write(text: string): unknown }
  readonly env?: Readonly<Record<string, string | undefined>>
  once(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown
  off(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown
}

const USAGE = `service-signature-sandbox: the payment service in test mode, on this machine

  --port <number>          where to listen; default: any that is free
  --host <address>         default: 127.0.0.1, which other machines cannot reach
  --allow-host <name>      a further name to answer to; may be repeated
  --public-url <url>       where a browser reaches it, if that is elsewhere
  --seed <text>            the same seed gives the same ids, keys and secret
  --time-scale <number>    how many times as fast retries are sent; default: 1
  --body-style <name>      how bodies are printed: python (default), ecmascript
  --canonical-form <name>  what v2 signs: source (default), ecmascript, python
  --no-card-token-events   send no event when a card is saved
  --default-endpoint <url> where events go whose intent has no webhook_url
  --allow-remote           also send events outside this machine
  --data <folder>          keep the state there; it survives a restart
  --max-bytes <number>     how much is kept; default: 256 MiB, or half the heap
  --json                   print one line of JSON
  --help                   print this; --version prints the version
Commands, each with --help of its own:
  listen                   forwards events to an endpoint, with a line for each
  trigger                  sends one event from a sandbox that runs
  test                     makes a test from recorded deliveries
`

export const WRONG_USE = 2

/** The command without a name: runs the sandbox, and resolves to the exit code after SIGINT or SIGTERM. */
export async function serve(argv: readonly string[], io: MainIo): Promise<number> {
  let sandbox: Sandbox
  let isJson: boolean
  try {
    const { json, help, version, options } = readArguments(argv)
    if (help || version) {
      io.stdout.write(help ? USAGE : `${packageVersion()}\n`)
      return 0
    }
    isJson = json
    sandbox = await startSandbox(options)
  } catch (error) {
    io.stderr.write(`${startError(error as Error)}\n`)
    return WRONG_USE
  }
  const signal = endSignal(io)
  io.stdout.write(`${isJson ? forMachines(sandbox) : forPeople(sandbox)}\n`)
  await signal
  await sandbox.close()
  return 0
}

/**
 * Describes what is wrong with the command line, or with the address that it names.
 *
 * @throws any other error
 */
export function startError(
  error: NodeJS.ErrnoException & { address?: string; hostname?: string; port?: number },
): string {
  const { code, syscall, port, message } = error
  if (error instanceof TypeError || error instanceof RangeError || error instanceof DataFolderError)
    return message
  if (code === 'EADDRINUSE') {
    return `Port ${port!} is in use. Stop the program that listens there, or pass another --port.`
  }
  if (code === 'EACCES')
    return `Port ${port!} needs more rights than this user has. Pass a --port from 1024 on.`
  if (code === 'EADDRNOTAVAIL' || syscall === 'getaddrinfo') {
    const host = error.address ?? error.hostname!
    return `The sandbox cannot listen on ${host}, because this machine has no such address. Pass another --host.`
  }
  throw error
}

/** The options of the sandbox on the command line, for `parseArgs`. */
export const SANDBOX_ARGUMENTS = {
  port: { type: 'string' },
  host: { type: 'string' },
  'allow-host': { type: 'string', multiple: true },
  'public-url': { type: 'string' },
  seed: { type: 'string' },
  'time-scale': { type: 'string' },
  'body-style': { type: 'string' },
  'canonical-form': { type: 'string' },
  'no-card-token-events': { type: 'boolean', default: false },
  'allow-remote': { type: 'boolean', default: false },
  'default-endpoint': { type: 'string' },
  data: { type: 'string' },
  'max-bytes': { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const satisfies ParseArgsConfig['options']

function readArguments(argv: readonly string[]) {
  const { values } = parseArgs({
    args: [...argv],
    options: { ...SANDBOX_ARGUMENTS, version: { type: 'boolean', default: false } },
  })
  const { json, help, version } = values
  return { json, help, version, options: sandboxOptions(values) }
}

type SandboxArguments = ReturnType<typeof parseArgs<{ options: typeof SANDBOX_ARGUMENTS }>>['values']

/** What is wrong with a value, startSandbox reports. */
export function sandboxOptions(values: SandboxArguments): SandboxOptions {
  const { port, host, seed, 'time-scale': timeScale, 'canonical-form': canonicalForm } = values
  const { 'max-bytes': maxBytes, 'body-style': bodyStyle, 'default-endpoint': defaultEndpoint } = values
  const options: Record<string, unknown> = {
    allowHosts: values['allow-host'] ?? [],
    cardTokenEvents: !values['no-card-token-events'],
    allowRemote: values['allow-remote'],
    ...(port !== undefined && { port: toNumber(port) }),
    ...(host !== undefined && { host }),
    ...(values['public-url'] !== undefined && { publicUrl: values['public-url'] }),
    ...(seed !== undefined && { seed }),
    ...(timeScale !== undefined && { timeScale: toNumber(timeScale) }),
    ...(values.data !== undefined && { dataFolder: values.data }),
    ...(maxBytes !== undefined && { maxBytes: toNumber(maxBytes) }),
    ...(bodyStyle !== undefined && { bodyStyle }),
    ...(canonicalForm !== undefined && { canonicalForm }),
    ...(defaultEndpoint !== undefined && { defaultEndpoint }),
  }
  return options
}

/** `Number` takes no text at all for 0. */
function toNumber(text: string): number {
  return text.trim() === '' ? NaN : Number(text)
}

/** Resolves when the process gets a signal to end. */
export function endSignal(io: MainIo): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      io.off('SIGINT', end)
      io.off('SIGTERM', end)
      resolve()
    }
    io.once('SIGINT', end)
    io.once('SIGTERM', end)
  })
}

/** One line of JSON for scripts. */
export function forMachines({ url, secret, apiKeys, accountId, dataFolder }: Sandbox): string {
  return JSON.stringify({ url, secret, apiKeys, accountId, dataFolder })
}

function forPeople({ publicUrl, secret, apiKeys, accountId, dataFolder }: Sandbox): string {
  return [
    `The sandbox is at ${publicUrl}`,
    `account ${accountId}`,
    `API key ${apiKeys.account}`,
    `public key ${apiKeys.public}`,
    `organization key ${apiKeys.organization}`,
    `signing secret ${secret}`,
    ...(dataFolder === undefined ? [] : [`data in ${dataFolder}`]),
  ].join(' | ')
}
