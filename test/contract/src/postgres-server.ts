import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'

/** A PostgreSQL of the test's own, on a free port of 127.0.0.1. */
export interface PostgresServer {
  readonly port: number
  /** `postgres://postgres@127.0.0.1:5432/postgres` */
  readonly url: string
  /** Ends it at once, as a power cut does, except that the operating system still writes its files. */
  readonly kill: () => Promise<void>
  /** Starts it again, on the same port and with its data. Ends it first if it runs. */
  readonly restart: () => Promise<void>
  /** Ends it, and removes its folder. */
  readonly stop: () => Promise<void>
}

/** The folder of PostgreSQL's programs, which Debian keeps outside of PATH. */
export function postgresPrograms(): string | undefined {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions.map((version) => join(root, version, 'bin')),
  ]
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')))
}

/**
 * Starts a PostgreSQL for a test, which has to stop it.
 *
 * @param settings of postgresql.conf
 *
 * @example
 * const server = await startPostgres({ max_connections: '10' })
 * onTestFinished(server.stop)
 */
export async function startPostgres(
  settings: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
  const programs = postgresPrograms()
  if (programs === undefined) throw new Error('PostgreSQL is not installed')
  const folder = await mkdtemp(join(tmpdir(), 'service-signature-postgres-'))
  const user = unprivilegedUser()
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const arguments_ = ['-D', folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N']
  const made = spawnSync(join(programs, 'initdb'), arguments_, { ...user, cwd: '/', encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`)

  const port = await freePort()
  const options = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    fsync: 'off',
    shared_buffers: '16MB',
    ...settings,
  }
  const run = () => runPostgres(join(programs, 'postgres'), folder, options, user)
  let running: PostgresProcess | undefined = await run()
  const kill = async () => {
    await running?.kill()
    running = undefined
  }
  return {
    port,
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    kill,
    async restart() {
      await kill()
      running = await run()
    },
    async stop() {
      await kill()
      await rm(folder, { recursive: true })
    },
  }
}

interface PostgresProcess {
  readonly kill: () => Promise<void>
}

interface User {
  readonly uid: number
  readonly gid: number
}

/** A user that every Linux has and that owns nothing. */
const OVERFLOW_ID = 65_534

/** PostgreSQL refuses to run as root. */
function unprivilegedUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined
  const [uid, gid] = ['-u', '-g'].map((option) =>
    Number(spawnSync('id', [option, 'postgres'], { encoding: 'utf8' }).stdout || OVERFLOW_ID),
  )
  return { uid: uid!, gid: gid! }
}

async function runPostgres(
  program: string,
  folder: string,
  options: Readonly<Record<string, string>>,
  user: User | undefined,
): Promise<PostgresProcess> {
  const settings = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(program, ['-D', folder, ...settings], {
    ...user,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(child, 'exit')
  // SIGQUIT ends the server and its children at once. After SIGKILL, the children would keep running for a while.
  const end = () => child.kill('SIGQUIT')
  process.once('exit', end)
  if (!(await isReady(child))) throw new Error('PostgreSQL ended before it was ready')
  return {
    async kill() {
      process.removeListener('exit', end)
      end()
      await exited
    },
  }
}

/** Reads its log until it takes connections, or ends. */
function isReady(child: ChildProcess): Promise<boolean> {
  const log = createInterface(child.stderr!)
  return new Promise((resolve) => {
    log.on('line', (line) => {
      if (line.includes('ready to accept connections')) resolve(true)
    })
    log.once('close', () => {
      resolve(false)
    })
  })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await once(server.close(), 'close')
  return port
}
