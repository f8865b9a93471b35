import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'

/** Settings of redis.conf, by name. */
export type RedisSettings = Readonly<Record<string, string | number>>

export interface RedisProcess {
  readonly pid: number
  /** Resolves to the next line of its log that matches, or to undefined if the process ends before. */
  readonly logged: (pattern: RegExp) => Promise<string | undefined>
  /** Ends it as a power cut does. */
  readonly kill: () => Promise<void>
}

/**
 * Starts `redis-server` without persistence, unless the settings say otherwise.
 *
 * @returns undefined if the port is taken
 */
export async function runRedis(
  port: number,
  folder: string,
  settings: RedisSettings = {},
): Promise<RedisProcess | undefined> {
  const all = { port, bind: '127.0.0.1', dir: folder, save: '', ...settings }
  const child = spawn(
    'redis-server',
    Object.entries(all).flatMap(([name, value]) => [`--${name}`, String(value)]),
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const running = watch(child)
  const line = await running.logged(/Ready to accept connections|Address already in use/)
  if (line === undefined) throw new Error('Redis ended before it was ready')
  if (line.includes('Ready')) return running
  await running.kill()
  return undefined
}

/** Reads its log, and ends it at the latest with the test or the test's own process. */
function watch(child: ChildProcess): RedisProcess {
  const exited = once(child, 'exit')
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  const log = createInterface(child.stdout!)
  return {
    pid: child.pid!,
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

/** The reply of Redis to one command, as it is on the wire. */
export async function askRedis(port: number, ...command: readonly (string | number)[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const parts = command.map((part) => `$${Buffer.byteLength(String(part))}\r\n${part}\r\n`)
  socket.write(`*${parts.length}\r\n${parts.join('')}*1\r\n$4\r\nQUIT\r\n`)
  const reply = await text(socket)
  return reply.replace(/\+OK\r\n$/, '')
}
