import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { TIME } from '../../../vitest.config.js'

// The packages of a version of Nest, and the modules that must find them.
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
      env: { NEST_VERSION: version, ALL_HOSTS: 'yes' },
      include: include.map((path) => fileURLToPath(new URL(path, import.meta.url))),
    },
  }
}

const CONTRACT = 'test/contract.test.ts'
const TESTS = '../../../packages/nest/test/{routes,filters,on-webhook}.test.ts'

export default defineConfig({
  test: {
    projects: [
      withNest('11', 'nest', [CONTRACT, 'test/programs.test.ts']),
      withNest('10', 'nest-10', [CONTRACT, TESTS]),
      withNest('12', 'nest-12', [CONTRACT, TESTS]),
    ],
    execArgv: ['--preserve-symlinks'],
    // They find the Nest of the folder, not the one of the workspace.
    server: { deps: { inline: [/@service-signature\/(?:contract|nest)/] } },
    ...TIME,
    reporters: [
      'default',
      ['json', { outputFile: fileURLToPath(new URL('../../../coverage/tests-nest.json', import.meta.url)) }],
    ],
  },
})
