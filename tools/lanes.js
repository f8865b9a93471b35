// Runs scripts of package.json in lanes beside each other, those of a lane one behind the other:
//
//   node tools/lanes.js lint -- format types
//
// What a script prints comes when it has ended, in one piece. Ends with 1 where one failed; the others end all the same.
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

const lanes = process.argv
  .slice(2)
  .join(' ')
  .split(' -- ')
  .map((lane) => lane.split(' '))

await Promise.all(
  lanes.map(async (scripts) => {
    for (const script of scripts) await run(script)
  }),
)

/** @param {string} script */
async function run(script) {
  const child = spawn(`npm run ${script} 2>&1`, { shell: true, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => child.once('close', resolve))
  process.stdout.write(await text(child.stdout))
  if ((await ended) === 0) return
  process.stdout.write(`FAILED: npm run ${script}\n`)
  process.exitCode = 1
}
