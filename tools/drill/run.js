// Runs a drill: node tools/drill/run.js redis-failover --deliveries 3000 --seed 7. The drills are written in TypeScript
// and run over the sources of the packages, so they are bundled first.
import { bundle } from './bundle.js'

const [name, ...rest] = process.argv.slice(2)
if (name === undefined || !/^[a-z-]+$/.test(name)) {
  console.error('Usage: node tools/drill/run.js <name of the drill> [--<option> <number>]...')
  process.exit(2)
}

const { file, remove } = await bundle(`${name}.ts`)
try {
  /** @type {{ drill: (bundler: typeof bundle, options: Record<string, number>) => Promise<boolean> }} */
  const { drill } = await import(file)
  /** @type {Record<string, number>} */
  const options = {}
  for (let index = 0; index < rest.length; index += 2) {
    options[String(rest[index]).replace(/^--/, '')] = Number(rest[index + 1])
  }
  if (!(await drill(bundle, options))) process.exitCode = 1
} finally {
  await remove()
}
