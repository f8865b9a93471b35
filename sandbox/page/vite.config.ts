import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

export default defineConfig({
  root: pathOf('.'),
  base: '/',
  // Which are the same in each build, whatever is set outside.
  envDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: pathOf('../dist/page'),
    emptyOutDir: true,
    target: 'es2022',
    // These have light-dark(), which would be replaced otherwise.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The policy of the page allows nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'third-party-notices.md' },
  },
})
