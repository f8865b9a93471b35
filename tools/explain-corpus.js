// Explains the recorded deliveries of packages/explain/test/corpus and prints how many first lines are right, by kind, with
// the misses, the wrong claims and the CPU time. It fails if the rate falls, or something is claimed that did not happen.
import { bundle } from './drill/bundle.js'

const folder = new URL('../packages/explain/test/corpus/', import.meta.url)
const { file, remove } = await bundle('../../packages/explain/test/corpus/measure.ts')
try {
  /** @type {typeof import('../packages/explain/test/corpus/measure.js')} */
  const { measure } = await import(file)
  process.exitCode = (await measure(folder)) ? 0 : 1
} finally {
  await remove()
}
