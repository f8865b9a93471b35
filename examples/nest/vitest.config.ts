import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { poll } from '../../vitest.config.js'

// What a version of Nest brings, and what has to find it.
const OF_THE_FOLDER = ['common', 'core', 'platform-express', 'platform-fastify']
  .map((name) => `@nestjs/${name}`)
  .concat(['contract', 'core', 'nest'].map((name) => `@service-signature/${name}`))

/** Runs tests with the version of Nest that is installed in a folder. */
function withNest(version: string, folder: string, include: readonly string[]) {
  return {
    extends: true as const,
    root: fileURLToPath(new URL(`../${folder}`, import.meta.url)),
    resolve: { dedupe: OF_THE_FOLDER, preserveSymlinks: true },
    test: {
      name: `nest-${version}`,
      env: { NEST_VERSION: version },
      include: include.map((name) => fileURLToPath(new URL(`test/${name}.test.ts`, import.meta.url))),
    },
  }
}

export default defineConfig({
  test: {
    projects: [
      withNest('11', 'nest', ['contract', 'programs']),
      withNest('10', 'nest-10', ['contract']),
      withNest('12', 'nest-12', ['contract']),
    ],
    execArgv: ['--preserve-symlinks'],
    server: { deps: { inline: [/@service-signature\/contract/] } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll },
    reporters: [
      'default',
      ['json', { outputFile: fileURLToPath(new URL('../../coverage/tests-nest.json', import.meta.url)) }],
    ],
  },
})
