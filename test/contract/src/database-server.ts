import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from './free-port.js'

/** A database server of the test's own, on a free port of 127.0.0.1. */
export interface DatabaseServer {
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

export interface Place {
  readonly folder: string
  readonly port: number
}

interface Kind {
  readonly name: string
  /** The user whom it runs as if this process runs as root, which the servers refuse. */
  readonly user: string
  readonly program: string
  /** The program that makes its data, and the arguments. */
  readonly install: (folder: string) => readonly [program: string, ...args: string[]]
  readonly args: (place: Place) => readonly string[]
  /** A line of its log has this text when it takes connections. */
  readonly ready: string
  readonly url: (port: number) => string
  /** Ends it at once, with its children. */
  readonly signal: NodeJS.Signals
}

/** Makes the data of a server in a folder of its own, and starts it. */
export async function startServer(kind: Kind): Promise<DatabaseServer> {
  const folder = await mkdtemp(join(tmpdir(), `service-signature-${kind.name.toLowerCase()}-`))
  const user = unprivileged(kind.user)
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const [installer, ...installation] = kind.install(folder)
  // Installers that run at the same time would delete each other's temporary files.
  const env = { ...process.env, TMPDIR: folder }
  const made = spawnSync(installer, installation, { ...user, cwd: folder, env, encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`${installer} failed: ${made.stdout}${made.stderr}`)

  const port = await freePort()
  const run = () => runServer(kind, { folder, port }, user)
  let end: (() => Promise<void>) | undefined = await run()
  const kill = async () => {
    await end?.()
    end = undefined
  }
  return {
    port,
    url: kind.url(port),
    kill,
    async restart() {
      await kill()
      end = await run()
    },
    async stop() {
      await kill()
      await rm(folder, { recursive: true })
    },
  }
}

interface User {
  readonly uid: number
  readonly gid: number
}

/** A user that every Linux has and that owns nothing. */
const OVERFLOW_ID = 65_534

function unprivileged(name: string): User | undefined {
  if (process.getuid?.() !== 0) return undefined
  const [uid, gid] = ['-u', '-g'].map((option) =>
    Number(spawnSync('id', [option, name], { encoding: 'utf8' }).stdout || OVERFLOW_ID),
  )
  return { uid: uid!, gid: gid! }
}

/** @returns a function that ends it */
async function runServer(kind: Kind, place: Place, user: User | undefined): Promise<() => Promise<void>> {
  const child = spawn(kind.program, [...kind.args(place)], {
    ...user,
    cwd: place.folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(child, 'exit')
  const end = () => child.kill(kind.signal)
  process.once('exit', end)
  const log = createInterface(child.stderr)
  const isReady = await new Promise((resolve) => {
    log.on('line', (line) => {
      if (line.includes(kind.ready)) resolve(true)
    })
    log.once('close', () => {
      resolve(false)
    })
  })
  if (isReady !== true) throw new Error(`${kind.name} ended before it was ready`)
  return async () => {
    process.removeListener('exit', end)
    end()
    await exited
  }
}
