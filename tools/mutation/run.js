// Changes core's verification in some two thousand ways, one at a time, and tells which of them no test notices.
//
//   npm run mutate [-- --mutate packages/core/src/header.ts]
//
// What it is told is passed on to Stryker. Ends with 1 where a module has too many such mutants, or one that is not in
// survivors.json with the reason why it is no loss.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { judge } from './judge.js'

const LEAST_PERCENT = 95

const root = new URL('../../', import.meta.url)
const stryker = dirname(createRequire(import.meta.url).resolve('@stryker-mutator/core/package.json'))
const config = fileURLToPath(new URL('stryker.config.json', import.meta.url))
const { status } = spawnSync(
  process.execPath,
  [join(stryker, 'bin/stryker.js'), 'run', config, ...process.argv.slice(2)],
  {
    cwd: fileURLToPath(root),
    stdio: 'inherit',
  },
)
if (status !== 0) process.exit(status ?? 1)

/** @type {import('./judge.js').Report} */
const report = JSON.parse(readFileSync(new URL('coverage/mutation.json', root), 'utf8'))
/** @type {import('./judge.js').KnownSurvivor[]} */
const known = JSON.parse(readFileSync(new URL('survivors.json', import.meta.url), 'utf8'))
const { modules, unknown, stale } = judge(report, known)

for (const { module, noticed, all } of modules) {
  const percent = (100 * noticed) / all
  const isGood = percent >= LEAST_PERCENT
  console.log(
    `${module.padEnd(15)}${percent.toFixed(1).padStart(6)} %  ${noticed} of ${all}${isGood ? '' : '  TOO FEW'}`,
  )
  if (!isGood) process.exitCode = 1
}
for (const { file, line, original, replacement } of unknown) {
  console.log(
    `\nNo test notices this, and survivors.json does not say why:\n${file}: ${line}\n  ${original}\n  ${replacement}`,
  )
}
for (const { file, line, replacement } of stale) {
  console.log(`\nsurvivors.json has what does not survive:\n${file}: ${line}\n  ${replacement}`)
}
if (unknown.length + stale.length > 0) process.exitCode = 1
