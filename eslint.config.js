import js from '@eslint/js'
import { defineConfig } from 'eslint/config'
import tseslint from 'typescript-eslint'

export default defineConfig(
  { ignores: ['**/dist/', 'coverage/'] },
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      // The compiler knows which names there are.
      'no-undef': 'off',
      // `bytes[i]!` says that the loop keeps `i` in bounds; the compiler cannot see it.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // Core runs on edge runtimes; only what is for Node by its name may import from Node.
      'no-restricted-imports': ['error', { patterns: ['node:*'] }],
    },
  },
  {
    files: ['**/src/**/node.ts', '**/test/**', 'tools/**', 'test-vectors/**', '*.config.*'],
    rules: { 'no-restricted-imports': 'off' },
  },
  // A script that runs without the workspace's types.
  { files: ['test-vectors/*.mjs'], extends: [tseslint.configs.disableTypeChecked] },
)
