import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { startServer, type DatabaseServer } from './database-server.js'

export type { DatabaseServer as PostgresServer } from './database-server.js'

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
export function startPostgres(settings: Readonly<Record<string, string>> = {}): Promise<DatabaseServer> {
  const programs = postgresPrograms()
  if (programs === undefined) throw new Error('PostgreSQL is not installed')
  const options = { listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'off', ...settings }
  return startServer({
    ...{ name: 'PostgreSQL', user: 'postgres', program: join(programs, 'postgres') },
    install: (folder) => [
      join(programs, 'initdb'),
      ...['-D', join(folder, 'data'), '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'],
    ],
    args: ({ folder, port }) => [
      ...['-D', join(folder, 'data')],
      ...Object.entries({ port: String(port), shared_buffers: '16MB', ...options }).flatMap(
        ([name, value]) => ['-c', `${name}=${value}`],
      ),
    ],
    ready: 'ready to accept connections',
    url: (port) => `postgres://postgres@127.0.0.1:${port}/postgres`,
    // After SIGKILL, the children of the server would keep running for a while.
    signal: 'SIGQUIT',
  })
}
