// Writes docs/openapi.json, the document that a sandbox serves, and checks it: by the recommended rules of a linter, and by the
// types that a client is generated from.
//
//   npm run docs -- openapi
//   npm run docs -- openapi --check    fails if the file is not up to date, too
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import openapiTypes, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { startSandbox } from '../../sandbox/dist/index.mjs'

const file = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url))

const text = await readDocument()
const problems = [...(await lint(text)), ...(await compileTypes(text))]
if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exitCode = 1
} else if (!process.argv.includes('--check')) {
  writeFileSync(file, text)
} else if (readFileSync(file, 'utf8') !== text) {
  console.error('docs/openapi.json is not up to date. Run: npm run docs -- openapi')
  process.exitCode = 1
}

async function readDocument() {
  const sandbox = await startSandbox()
  try {
    const response = await fetch(`${sandbox.url}/openapi.json`)
    const document = JSON.stringify(await response.json(), null, 2)
    return `${document.replace(/[^\0-\x7f]/g, escapeOf)}\n`
  } finally {
    await sandbox.close()
  }
}

/** @param {string} unit */
function escapeOf(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/**
 * @param {string} source
 * @returns {Promise<string[]>}
 */
async function lint(source) {
  /** @type {{ [name: string]: 'off' }} */
  const rules = {
    // The specification ends its paths with a slash.
    'no-path-trailing-slash': 'off',
    // What follows "tokens/cards/" is the id of a card: "tok_" and so on, never "intents".
    'no-ambiguous-paths': 'off',
  }
  const config = await createConfig({ extends: ['recommended'], rules })
  const found = await lintFromString({ source, absoluteRef: file, config })
  return found.map(
    ({ severity, ruleId, message, location }) =>
      `${severity} ${ruleId}: ${message} ${location[0]?.pointer ?? ''}`,
  )
}

/**
 * @param {string} source
 * @returns {Promise<string[]>}
 */
async function compileTypes(source) {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-'))
  const types = join(folder, 'openapi.ts')
  writeFileSync(types, astToString(await openapiTypes(source)))
  const program = ts.createProgram([types], { strict: true, noEmit: true, types: [] })
  const diagnostics = ts.getPreEmitDiagnostics(program)
  rmSync(folder, { recursive: true })
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}
