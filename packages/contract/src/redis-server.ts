import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'

/** A Redis of the test's own, on a free port of 127.0.0.1. */
export interface RedisServer {
  readonly port: number
  /** `redis://127.0.0.1:6379` */
  readonly url: string
  /** Ends it as a power cut does. */
  readonly kill: () => Promise<void>
  /** Starts it again, on the same port and with what it kept on disk. Ends it first, as a power cut does. */
  readonly restart: () => Promise<void>
  /** Ends it, and removes its folder. */
  readonly stop: () => Promise<void>
}

export interface RedisServerOptions {
  /** Whether what was written outlives the process. Default: false. */
  readonly isDurable?: boolean
  /** Whether it is a cluster, of one node with all the slots. Default: false. */
  readonly isCluster?: boolean
}

// A node of a cluster talks to others on a port that is higher by so much.
const CLUSTER_BUS = 10_000

/** Whether Redis is installed. Files called `*.redis.test.ts` need not ask: without it they do not run. */
export function hasRedis(): boolean {
  return spawnSync('redis-server', ['--version']).status === 0
}

/**
 * Starts a Redis for a test, which has to stop it.
 *
 * @example
 * const redis = await startRedis()
 * onTestFinished(redis.stop)
 */
export async function startRedis(options: RedisServerOptions = {}): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'service-signature-redis-'))
  const port = await freePort()
  let running = await runRedis(port, folder, options)
  if (running === undefined) {
    // Somebody else took the port in between.
    await rm(folder, { recursive: true })
    return startRedis(options)
  }
  if (options.isCluster === true) await assignSlots(port, running)

  const kill = async () => {
    await running?.kill()
    running = undefined
  }
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    kill,
    async restart() {
      await kill()
      running = await runRedis(port, folder, options)
      if (running === undefined) throw new Error(`Redis did not start again on port ${port}`)
    },
    async stop() {
      await kill()
      await rm(folder, { recursive: true })
    },
  }
}

interface RedisProcess {
  /** The next line of its log that is like this; undefined if it ends before. */
  readonly logged: (pattern: RegExp) => Promise<string | undefined>
  readonly kill: () => Promise<void>
}

/** Undefined where the port is taken. */
async function runRedis(
  port: number,
  folder: string,
  { isDurable = false, isCluster = false }: RedisServerOptions,
): Promise<RedisProcess | undefined> {
  const settings = {
    port,
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    appendonly: isDurable ? 'yes' : 'no',
    appendfsync: 'always',
    ...(isCluster && { 'cluster-enabled': 'yes', 'cluster-announce-ip': '127.0.0.1' }),
  }
  const child = spawn(
    'redis-server',
    Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const running = watch(child)
  const started = await running.logged(/Ready to accept connections|Address already in use/)
  if (started === undefined) throw new Error('Redis ended before it was ready')
  if (!started.includes('Ready')) {
    await running.kill()
    return undefined
  }
  if (!(await ask(port, 'PING')).startsWith('+PONG')) throw new Error('Redis did not answer a PING')
  return running
}

/** Reads its log, and sees to it that the process outlives neither the test nor the test's own process. */
function watch(child: ChildProcess): RedisProcess {
  const exited = once(child, 'exit')
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  const log = createInterface(child.stdout!)
  return {
    logged: (pattern) =>
      new Promise((resolve) => {
        log.on('line', (line) => {
          if (pattern.test(line)) resolve(line)
        })
        log.once('close', () => {
          resolve(undefined)
        })
      }),
    async kill() {
      process.removeListener('exit', end)
      end()
      await exited
    },
  }
}

async function assignSlots(port: number, { logged }: RedisProcess): Promise<void> {
  const ready = logged(/Cluster state changed: ok/)
  const slots = Array.from({ length: 16_384 }, (_, slot) => String(slot))
  await ask(port, 'CLUSTER', 'ADDSLOTS', ...slots)
  if ((await ready) === undefined) throw new Error('Redis ended before it was a cluster')
}

/** What Redis answers, as it stands on the wire. */
async function ask(port: number, ...command: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const parts = command.map((part) => `$${Buffer.byteLength(part)}\r\n${part}\r\n`)
  socket.write(`*${parts.length}\r\n${parts.join('')}QUIT\r\n`)
  return text(socket)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await once(server.close(), 'close')
  return port + CLUSTER_BUS > 65_535 ? freePort() : port
}
