#!/usr/bin/env node
const entry = '../dist/main.mjs'

const { start } = await import(entry).catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND' || error.url !== new URL(entry, import.meta.url).href) throw error
  process.stderr.write('error: service-signature-sandbox is not built. Run: npm run build\n')
  process.exit(2)
})

await start(process)
