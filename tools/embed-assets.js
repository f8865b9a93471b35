// Writes what the sandbox serves to browsers (packages/sandbox/assets) into a module, so that both builds find it without
// a path: the bundler copies no files, and a CommonJS module does not know where it is as an ES module does.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'

const assets = new URL('../packages/sandbox/assets/', import.meta.url)
const target = fileURLToPath(new URL('../packages/sandbox/src/pages/assets.ts', import.meta.url))

const names = readdirSync(assets, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.'))
const entries = names.sort().map((name) => {
  const text = readFileSync(new URL(name, assets), 'utf8')
  return `${JSON.stringify(name)}: ${JSON.stringify(text)},`
})
const source = `
// Made by "npm run assets" of packages/sandbox/assets. Change those, not this.

/** What is served to browsers, by its name. */
export const ASSETS: Readonly<Record<string, string>> = {
${entries.join('\n')}
}
`
const formatted = await format(source, { ...(await resolveConfig(target)), filepath: target })

if (process.argv.includes('--check')) {
  if (readFileSync(target, 'utf8') !== formatted) {
    console.error('packages/sandbox/src/pages/assets.ts is not in step with the assets: npm run assets')
    process.exitCode = 1
  }
} else {
  writeFileSync(target, formatted)
}
