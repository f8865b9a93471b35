import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.js'
import { askRedis, runRedis, type RedisSettings } from './redis-process.js'

/** A Redis of the test's own, on a free port of 127.0.0.1. */
export interface RedisServer {
  readonly port: number
  /** `redis://127.0.0.1:6379` */
  readonly url: string
  /** Ends it as a power cut does. */
  readonly kill: () => Promise<void>
  /** Starts it again, on the same port and with what it kept on disk. Ends it first, as a power cut does. */
  readonly restart: () => Promise<void>
  /** Stops all answers until `resume`, as on an overloaded machine. */
  readonly pause: () => void
  readonly resume: () => void
  /** Ends it, and removes its folder. */
  readonly stop: () => Promise<void>
}

export interface RedisServerOptions {
  /** Whether written data outlives the process. Default: false. */
  readonly isDurable?: boolean
  /** More settings of redis.conf. */
  readonly settings?: RedisSettings
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
  const durable = { appendonly: 'yes', appendfsync: 'always' }
  const settings = { ...(options.isDurable === true && durable), ...options.settings }
  let running = await runRedis(port, folder, settings)
  if (running === undefined) {
    // Another process took the port in between.
    await rm(folder, { recursive: true })
    return startRedis(options)
  }
  if (!(await askRedis(port, 'PING')).startsWith('+PONG')) throw new Error('Redis did not answer a PING')

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
      running = await runRedis(port, folder, settings)
      if (running === undefined) throw new Error(`Redis did not start again on port ${port}`)
    },
    pause() {
      process.kill(running!.pid, 'SIGSTOP')
    },
    resume() {
      process.kill(running!.pid, 'SIGCONT')
    },
    async stop() {
      await kill()
      await rm(folder, { recursive: true })
    },
  }
}
