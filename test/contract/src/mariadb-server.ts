import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'

/** A MariaDB of the test's own, on a free port of 127.0.0.1. */
export interface MariadbServer {
  readonly port: number
  /** `mysql://root@127.0.0.1:3306/test` */
  readonly url: string
  /** Ends it at once, as a power cut does, except that the operating system still writes its files. */
  readonly kill: () => Promise<void>
  /** Starts it again, on the same port and with its data. Ends it first if it runs. */
  readonly restart: () => Promise<void>
  /** Ends it, and removes its folder. */
  readonly stop: () => Promise<void>
}

/** The path of the server, which Debian keeps outside of the PATH of most users. */
export function mariadbProgram(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  return folders.map((folder) => join(folder, 'mariadbd')).find((program) => existsSync(program))
}

/**
 * Starts a MariaDB for a test, which has to stop it. Its user "root" has no password.
 *
 * @param settings as on the command line of the server, without the dashes
 *
 * @example
 * const server = await startMariadb({ max_connections: '10' })
 * onTestFinished(server.stop)
 */
export async function startMariadb(settings: Readonly<Record<string, string>> = {}): Promise<MariadbServer> {
  const program = mariadbProgram()
  if (program === undefined) throw new Error('MariaDB is not installed')
  const folder = await mkdtemp(join(tmpdir(), 'service-signature-mariadb-'))
  const user = unprivilegedUser()
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const small = { innodb_buffer_pool_size: '16M', innodb_log_file_size: '8M', ...settings }
  const install = ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal']
  const made = spawnSync('mariadb-install-db', [...install, '--skip-name-resolve', ...flags(small)], {
    ...user,
    cwd: folder,
    // Servers that start at the same time would delete each other's temporary files.
    env: { ...process.env, TMPDIR: folder },
    encoding: 'utf8',
  })
  if (made.status !== 0) throw new Error(`mariadb-install-db failed: ${made.stdout}${made.stderr}`)

  const port = await freePort()
  const options = {
    datadir: data,
    bind_address: '127.0.0.1',
    port: String(port),
    socket: join(folder, 'socket'),
    tmpdir: folder,
    pid_file: join(folder, 'pid'),
    // The data survives the end of the process, not that of the machine.
    innodb_flush_log_at_trx_commit: '2',
    ...small,
  }
  const run = () =>
    runMariadb(program, folder, ['--no-defaults', '--skip-name-resolve', ...flags(options)], user)
  let running: MariadbProcess | undefined = await run()
  const kill = async () => {
    await running?.kill()
    running = undefined
  }
  return {
    port,
    url: `mysql://root@127.0.0.1:${port}/test`,
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

interface MariadbProcess {
  readonly kill: () => Promise<void>
}

interface User {
  readonly uid: number
  readonly gid: number
}

/** A user that every Linux has and that owns nothing. */
const OVERFLOW_ID = 65_534

/** MariaDB refuses to run as root. */
function unprivilegedUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined
  const [uid, gid] = ['-u', '-g'].map((option) =>
    Number(spawnSync('id', [option, 'mysql'], { encoding: 'utf8' }).stdout || OVERFLOW_ID),
  )
  return { uid: uid!, gid: gid! }
}

function flags(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
}

async function runMariadb(
  program: string,
  folder: string,
  args: readonly string[],
  user: User | undefined,
): Promise<MariadbProcess> {
  const child = spawn(program, [...args], { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = once(child, 'exit')
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  if (!(await isReady(child))) throw new Error('MariaDB ended before it was ready')
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
      if (line.includes('ready for connections')) resolve(true)
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
