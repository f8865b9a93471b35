// docs/openapi.json, the document that a sandbox serves, if it follows the recommended rules of a linter.
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { startSandbox } from '../../sandbox/dist/index.mjs'

const FILE = 'docs/openapi.json'
const RULES = /** @type {{ [name: string]: 'off' }} */ ({
  // The specification ends its paths with a slash.
  'no-path-trailing-slash': 'off',
  // What follows "tokens/cards/" is the id of a card: "tok_" and so on, never "intents".
  'no-ambiguous-paths': 'off',
})

/** @returns {Promise<[string, string][]>} */
export async function generate() {
  const sandbox = await startSandbox()
  const response = await fetch(`${sandbox.url}/openapi.json`)
  const document = JSON.stringify(await response.json(), null, 2)
  await sandbox.close()
  const source = `${document.replace(/[^\0-\x7f]/g, escapeOf)}\n`
  const config = await createConfig({ extends: ['recommended'], rules: RULES })
  const problems = await lintFromString({ source, absoluteRef: FILE, config })
  const lines = problems.map(
    ({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`,
  )
  if (lines.length > 0) throw new Error(`${FILE}:\n${lines.join('\n')}`)
  return [[FILE, source]]
}

/** @param {string} unit */
function escapeOf(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}
