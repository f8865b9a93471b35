// The package.json of a package says "module"; one in each output folder names the format of the files there. Bundlers
// read that one instead of the package's own, so it also has to say that unused modules may be left out.
import { existsSync, readdirSync, writeFileSync } from 'node:fs'

const packages = new URL('../packages/', import.meta.url)
for (const name of readdirSync(packages)) {
  for (const [folder, type] of [
    ['esm', 'module'],
    ['cjs', 'commonjs'],
  ]) {
    const output = new URL(`${name}/dist/${folder}/`, packages)
    if (!existsSync(output)) continue
    writeFileSync(new URL('package.json', output), `{ "type": "${type}", "sideEffects": false }\n`)
  }
}
