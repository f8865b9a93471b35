import js from '@eslint/js'
import { defineConfig } from 'eslint/config'
import tseslint from 'typescript-eslint'
import { importsBetweenFolders, ROOMS } from './tools/lint/rooms.js'

export default defineConfig(
  { ignores: ['**/dist/', '.tsbuild/', 'coverage/', 'examples/apps/prisma/generated/'] },
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      // The compiler checks which names exist.
      'no-undef': 'off',
      // `bytes[i]!` says that the loop keeps `i` in bounds; the compiler cannot see it.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // What handles an event is often one call, whose result the caller ignores.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // Together they take a quarter of the time of all rules. We write no enums, and the compiler tells classes with private
      // fields apart.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // Core runs on edge runtimes; only files that are for Node by their name may import from it.
      'no-restricted-imports': ['error', { patterns: ['node:*'] }],
    },
  },
  {
    files: [
      'packages/core/src/**/node.ts',
      'packages/core/src/receive/node-*.ts',
      'packages/core/src/telemetry/instrument.ts',
      'packages/deliveries/src/{answer-text,loopback,node,recordings,replay-recorded,send,vector}.ts',
      'packages/explain/src/record.ts',
      'packages/{audit,cli,express,fastify,hapi,koa,lambda,nest,node,postgres,redis,sqlite,terminal}/src/**',
      'sandbox/{server,command}/**',
      '**/test/**',
      'packages/cli/templates/**',
      'examples/**',
      'bench/**',
      'tools/**',
      'test-vectors/**',
      'site/**',
      '**/*.config.{js,ts}',
    ],
    // It runs in browsers.
    ignores: ['site/playground/src/**'],
    rules: { 'no-restricted-imports': 'off' },
  },
  {
    files: ['packages/*/src/**', 'sandbox/{server,command}/**'],
    plugins: { rooms: { rules: { imports: importsBetweenFolders } } },
    rules: { 'rooms/imports': ['error', ROOMS] },
  },
  // Scripts that run without the workspace's types.
  {
    files: [
      'bench/**',
      'site/**',
      'test-vectors/*.mjs',
      'packages/explain/test/corpus/make/*.mjs',
      '{packages/*,sandbox}/{assets,bin,test/built}/**/*.js',
      'examples/**/*.{js,mjs}',
      'examples/!(test)/*.ts',
      'examples/untyped.d.ts',
      'packages/cli/templates/**',
      'tools/consumers/*/**',
      'tools/runtimes/**',
    ],
    ignores: ['examples/demo/**', 'site/playground/**'],
    extends: [tseslint.configs.disableTypeChecked],
    rules: { '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }] },
  },
  // Code as merchants without ES modules write it.
  {
    files: ['tools/consumers/*/**'],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
  // Their types are in JSDoc, where this rule does not recognize a cast of `any`.
  { files: ['{test/drills,tools}/**/*.js'], rules: { '@typescript-eslint/no-unsafe-assignment': 'off' } },
  // Its dependencies are in a node_modules of its own, which only its tests install.
  {
    files: ['examples/apps/nest/**', 'examples/apps/prisma/**'],
    extends: [tseslint.configs.disableTypeChecked],
  },
  // A Nest module is an empty class.
  {
    files: ['examples/apps/nest/**', 'packages/{nest,cli/templates}/**'],
    rules: {
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
    },
  },
  // Questions to the compiler, not a program.
  {
    files: ['**/test/types/**', '**/test/engine/types.ts'],
    rules: {
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/no-unused-vars': 'off',
    },
  },
)
