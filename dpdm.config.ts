import { defineConfig } from 'dpdm'

// Import cycles are forbidden, also those of types alone.
export default defineConfig({
  files: ['packages/*/src/**/*.ts'],
  // In the sandbox's model every file imports the type of World, which imports the types of them all. The exception goes
  // when the model gets its entities in a file of their own.
  exclude: '/node_modules/|packages/sandbox/src/model/',
  tree: false,
  warning: false,
  progress: false,
  exitCode: 'circular:1',
})
