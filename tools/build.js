// Builds every package twice, as ES modules and as CommonJS, with the compiler alone.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const root = new URL('../', import.meta.url)
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')

execFileSync(process.execPath, [tsc, '--build', 'tsconfig.build.json'], {
  cwd: fileURLToPath(root),
  stdio: 'inherit',
})

// The package.json of a package says "module"; this line in each output folder says what the files there are. For a
// bundler it stands before the one of the package, so it has to say too that what is not used may be left out.
const types = { esm: 'module', cjs: 'commonjs' }
for (const name of readdirSync(new URL('packages/', root))) {
  for (const [folder, type] of Object.entries(types)) {
    const output = new URL(`packages/${name}/dist/${folder}/`, root)
    if (existsSync(output))
      writeFileSync(new URL('package.json', output), `{ "type": "${type}", "sideEffects": false }\n`)
  }
}
