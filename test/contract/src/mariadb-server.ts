import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { startServer, type DatabaseServer } from './database-server.js'

export type { DatabaseServer as MariadbServer } from './database-server.js'

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
export function startMariadb(settings: Readonly<Record<string, string>> = {}): Promise<DatabaseServer> {
  const program = mariadbProgram()
  if (program === undefined) throw new Error('MariaDB is not installed')
  const small = { innodb_buffer_pool_size: '16M', innodb_log_file_size: '8M', ...settings }
  return startServer({
    ...{ name: 'MariaDB', user: 'mysql', program },
    install: (folder) => [
      'mariadb-install-db',
      ...['--no-defaults', '--skip-name-resolve', '--auth-root-authentication-method=normal'],
      ...flags({ datadir: join(folder, 'data'), ...small }),
    ],
    args: ({ folder, port }) => [
      ...['--no-defaults', '--skip-name-resolve'],
      ...flags({
        datadir: join(folder, 'data'),
        bind_address: '127.0.0.1',
        port: String(port),
        socket: join(folder, 'socket'),
        tmpdir: folder,
        pid_file: join(folder, 'pid'),
        // The data survives the end of the process, not that of the machine.
        innodb_flush_log_at_trx_commit: '2',
        ...small,
      }),
    ],
    ready: 'ready for connections',
    url: (port) => `mysql://root@127.0.0.1:${port}/test`,
    signal: 'SIGKILL',
  })
}

function flags(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
}
