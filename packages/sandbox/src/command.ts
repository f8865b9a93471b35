import { parseArgs } from 'node:util'
import type { SandboxOptions } from './options.js'
import { startSandbox, type Sandbox } from './sandbox.js'

/** The part of a process that the command uses. */
export interface MainIo {
  readonly stdout: { write(text: string): unknown }
  readonly stderr: { write(text: string): unknown }
  once(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown
  off(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown
}

const USAGE = `service-signature-sandbox: the payment service in test mode, on this machine

  --port <number>          where to listen; default: any that is free
  --host <address>         default: 127.0.0.1, which other machines cannot reach
  --allow-host <name>      a further name to answer to, such as sandbox;
                           may be given several times
  --seed <text>            the same seed gives the same ids, keys and secret
  --time-scale <number>    how many times as fast retries are sent; default: 1
  --body-style <name>      how bodies are printed: python (the default, as the
                           service does) or ecmascript
  --canonical-form <name>  what v2 signs: source (the default), ecmascript
                           or python
  --card-token-events      also send an event when a card is saved (assumed)
  --allow-remote           also send events outside this machine
  --max-bytes <number>     how much is kept; default: 67108864 (64 MiB)
  --json                   print one line of JSON
  --help                   print this

It ends on SIGINT and SIGTERM.
`

const WRONG_USE = 2

/**
 * The command `service-signature-sandbox`. Resolves to the exit code after SIGINT or SIGTERM. Errors that are not
 * wrong use are thrown.
 *
 * @example
 * process.exitCode = await main(process.argv.slice(2), process)
 */
export async function main(argv: readonly string[], io: MainIo): Promise<number> {
  let sandbox: Sandbox
  let isJson: boolean
  try {
    const { json, help, options } = readArguments(argv)
    if (help) {
      io.stdout.write(USAGE)
      return 0
    }
    isJson = json
    sandbox = await startSandbox(options)
  } catch (error) {
    io.stderr.write(`${sentence(error as Error)}\n`)
    return WRONG_USE
  }
  const signal = toldToEnd(io)
  io.stdout.write(`${isJson ? forMachines(sandbox) : forPeople(sandbox)}\n`)
  await signal
  await sandbox.close()
  return 0
}

/** What is wrong with the command line, or with the address that it names. */
function sentence(
  error: NodeJS.ErrnoException & { address?: string; hostname?: string; port?: number },
): string {
  const { code, syscall, port, message } = error
  if (error instanceof TypeError || error instanceof RangeError) return message
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

function readArguments(argv: readonly string[]) {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      port: { type: 'string' },
      host: { type: 'string' },
      'allow-host': { type: 'string', multiple: true, default: [] },
      seed: { type: 'string' },
      'time-scale': { type: 'string' },
      'body-style': { type: 'string' },
      'canonical-form': { type: 'string' },
      'card-token-events': { type: 'boolean', default: false },
      'allow-remote': { type: 'boolean', default: false },
      'max-bytes': { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const { port, host, seed, 'time-scale': timeScale, 'canonical-form': canonicalForm } = values
  const { 'max-bytes': maxBytes, 'body-style': bodyStyle } = values
  const options: Record<string, unknown> = {
    allowHosts: values['allow-host'],
    cardTokenEvents: values['card-token-events'],
    allowRemote: values['allow-remote'],
    ...(port !== undefined && { port: toNumber(port) }),
    ...(host !== undefined && { host }),
    ...(seed !== undefined && { seed }),
    ...(timeScale !== undefined && { timeScale: toNumber(timeScale) }),
    ...(maxBytes !== undefined && { maxBytes: toNumber(maxBytes) }),
    ...(bodyStyle !== undefined && { bodyStyle }),
    ...(canonicalForm !== undefined && { canonicalForm }),
  }
  // What is wrong with a value is said by startSandbox.
  return { json: values.json, help: values.help, options: options as SandboxOptions }
}

/** `Number` takes no text at all for 0. */
function toNumber(text: string): number {
  return text.trim() === '' ? NaN : Number(text)
}

function toldToEnd(io: MainIo): Promise<void> {
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

function forMachines({ url, secret, apiKeys, accountId }: Sandbox): string {
  return JSON.stringify({ url, secret, apiKeys, accountId })
}

function forPeople({ url, secret, apiKeys, accountId }: Sandbox): string {
  return [
    `The sandbox is at ${url}`,
    `account ${accountId}`,
    `API key ${apiKeys.account}`,
    `public key ${apiKeys.public}`,
    `organization key ${apiKeys.organization}`,
    `signing secret ${secret}`,
  ].join(' | ')
}
