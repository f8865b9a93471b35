// docs/api, the reference of the packages' public names, from the comments of the sources.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { succeed } from '../npm.js'

const root = fileURLToPath(new URL('../../', import.meta.url))

export async function generate() {
  const out = mkdtempSync(join(tmpdir(), 'service-signature-api-'))
  try {
    const typedoc = join(root, 'tools/checks/node_modules/.bin/typedoc')
    await succeed(root, [typedoc, '--logLevel', 'Warn', '--out', out])
    const old = filesIn('docs/api').map((file) => /** @type {const} */ ([`docs/api/${file}`, undefined]))
    const files = filesIn(out).map(
      (file) => /** @type {const} */ ([`docs/api/${file}`, readFileSync(join(out, file), 'utf8')]),
    )
    return new Map([...old, ...files])
  } finally {
    rmSync(out, { recursive: true })
  }
}

/** @param {string} folder */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
}
