// Whether docs/api says what the sources say: it is made anew, elsewhere, and compared.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const typedoc = join(
  dirname(createRequire(import.meta.url).resolve('typedoc/package.json')),
  'bin',
  'typedoc',
)
const output = mkdtempSync(join(tmpdir(), 'service-signature-docs-'))

try {
  execFileSync(process.execPath, [typedoc, '--logLevel', 'Warn', '--out', output], {
    cwd: root,
    stdio: 'inherit',
  })
  const kept = join(root, 'docs', 'api')
  const names = new Set([...pages(kept), ...pages(output)])
  const stale = [...names].filter((name) => read(join(kept, name)) !== read(join(output, name)))
  if (stale.length > 0) {
    console.error(`docs/api is not in step with the sources: ${stale.join(', ')}. Run: npm run docs`)
    process.exitCode = 1
  } else {
    console.log(`docs/api is in step: ${names.size} pages`)
  }
} finally {
  rmSync(output, { recursive: true })
}

/** @param {string} folder */
function pages(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
}

/** @param {string} file */
function read(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
