import { fileURLToPath } from 'node:url'
// Typed by the Vite of the workspace: the folder of the site has an older one, which VitePress needs.
import { defineConfig } from 'vitest/config'

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

export default defineConfig({
  root: pathOf('.'),
  // The build is the same whatever the environment has.
  envDir: false,
  publicDir: false,
  resolve: {
    // The entries for browsers, which use Web Crypto instead of node:crypto.
    alias: [
      {
        find: /^@service-signature\/core\/testing$/,
        replacement: pathOf('../../packages/core/src/entries/testing.ts'),
      },
      { find: /^@service-signature\/core\/(.+)$/, replacement: pathOf('../../packages/core/src/$1.ts') },
      {
        find: '@service-signature/core',
        replacement: pathOf('../../packages/core/src/entries/index.web.ts'),
      },
      { find: '@service-signature/explain', replacement: pathOf('../../packages/explain/src/index.web.ts') },
      {
        find: '@service-signature/deliveries',
        replacement: pathOf('../../packages/deliveries/src/index.ts'),
      },
    ],
  },
  build: {
    outDir: pathOf('dist'),
    emptyOutDir: true,
    target: 'es2022',
    // These have light-dark(), which would be replaced otherwise.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    lib: { entry: pathOf('src/index.ts'), formats: ['es'], fileName: () => 'signature-playground.js' },
    // A library is not minified by default, because the bundle of an application will be; this is a file for browsers.
    rolldownOptions: { output: { minify: true } },
  },
})
