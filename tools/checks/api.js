// Writes docs/api, the reference of the packages' public names, from the comments of the sources.
//
//   npm run docs -- api
//   npm run docs -- api --check    fails if the files were not up to date
import { spawnSync } from 'node:child_process'

run('tools/checks/node_modules/.bin/typedoc', '--logLevel', 'Warn')
if (process.argv.includes('--check')) {
  run('git', 'add', '--intent-to-add', 'docs/api')
  run('git', 'diff', '--exit-code', 'docs/api')
}

/**
 * @param {string} program
 * @param {string[]} options
 */
function run(program, ...options) {
  const { status } = spawnSync(program, options, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
