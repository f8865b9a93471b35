import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { works } from '../../../tools/install.js'
import { mariadbProgram } from './mariadb-server.js'
import { postgresPrograms } from './postgres-server.js'

const DRIVERS = fileURLToPath(new URL('../../drivers/node_modules/', import.meta.url))
const INSTALL_DRIVERS = 'node tools/install.js test/drivers'

/** What a test may need besides Node and the packages of the lock file of the root. */
const SERVICES = {
  redis: inPath('redis-server'),
  postgres: { isThere: () => postgresPrograms() !== undefined, fix: 'install postgresql' },
  mariadb: { isThere: () => mariadbProgram() !== undefined, fix: 'install mariadb-server' },
  chromium: inPath('chromium'),
  openssl: inPath('openssl'),
  python: inPath('python3'),
  prometheus: inPath('prometheus'),
  drivers: { isThere: () => existsSync(DRIVERS), fix: INSTALL_DRIVERS },
  // It is compiled where npm has no binary, and for one version of Node.
  'better-sqlite3': {
    isThere: () => works('better-sqlite3', join(DRIVERS, 'better-sqlite3')),
    fix: INSTALL_DRIVERS,
  },
}

function inPath(program: string) {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return { isThere: () => folders.some((each) => existsSync(join(each, program))), fix: `install ${program}` }
}

const printed = new Set<string>()

/** Whether tests must be skipped because one of these is missing, which it prints: `describe.skipIf(isMissing('redis'))`. */
export function isMissing(...names: readonly (keyof typeof SERVICES)[]): boolean {
  const missing = names.filter((name) => !SERVICES[name].isThere())
  for (const name of missing.filter((each) => !printed.has(each))) {
    printed.add(name)
    console.warn(`Left out: tests that need ${name}. To run them: ${SERVICES[name].fix}`)
  }
  return missing.length > 0
}
