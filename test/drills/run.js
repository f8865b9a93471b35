// Runs a drill: node test/drills/run.js kills --database mysql --seed 7. The drills are written in TypeScript
// and run over the sources of the packages, so they are bundled first.
import { bundle } from './bundle.js'

const [name, ...rest] = process.argv.slice(2)
const isComplete =
  rest.every((text, index) => index % 2 === 1 || text.startsWith('--')) && rest.length % 2 === 0
if (name === undefined || !/^[a-z-]+$/.test(name) || !isComplete) {
  console.error(
    'Usage: node test/drills/run.js <name of the drill> [--database <name>] [--<option> <number>]...',
  )
  process.exit(2)
}

/** @type {Record<string, string>} */
const { database, ...numbers } = Object.fromEntries(
  Array.from({ length: rest.length / 2 }, (_, pair) => [
    rest[2 * pair]?.replace(/^--/, ''),
    rest[2 * pair + 1],
  ]),
)
/** @type {typeof bundle} */
const bundler = (file) => bundle(file, database)
const { file, remove } = await bundler(`${name}.ts`)
try {
  /** @type {{ drill: (bundler: typeof bundle, options: Record<string, number>) => Promise<boolean> }} */
  const { drill } = await import(file)
  const options = Object.fromEntries(
    Object.entries(numbers).map(([option, value]) => [option, Number(value)]),
  )
  if (!(await drill(bundler, options))) process.exitCode = 1
} finally {
  await remove()
}
