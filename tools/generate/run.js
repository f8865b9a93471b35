// Writes the files that are made of others: node tools/generate/run.js [--check] [api] [openapi] [events] [embed]
// With --check, it compares them instead.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** @typedef {Iterable<readonly [path: string, text: string | undefined]>} Files Without a text, there must not be such a file. */

/** @type {Record<string, () => Promise<{ generate: () => Files | Promise<Files> }>>} */
const GENERATORS = {
  api: () => import('../checks/api.js'),
  openapi: () => import('../checks/openapi.js'),
  events: () => import('./events.js'),
  embed: () => import('./embed.js'),
}

const isCheck = process.argv.includes('--check')
const asked = process.argv.slice(2).filter((word) => word !== '--check')
for (const [name, load] of Object.entries(GENERATORS)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  for (const [path, text] of await (await load()).generate()) {
    const old = existsSync(path) ? readFileSync(path, 'utf8') : undefined
    if (text === old) continue
    if (isCheck) {
      console.error(`${path} is not up to date. Run: npm run docs -- ${name}`)
      process.exitCode = 1
    } else if (text === undefined) rmSync(path)
    else {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    }
  }
}
