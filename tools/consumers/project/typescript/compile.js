// Compiles the program in src with each compiler in each module mode, and runs it. Each mode has a folder of its own,
// because the package.json above a file decides what kind of module it is.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// All declarations are checked once as CommonJS and once as ES modules; everywhere else, only the program is checked.
const MODES = [
  { mode: 'commonjs', type: 'commonjs', module: 'commonjs', checksAll: true },
  { mode: 'node16', type: 'commonjs', module: 'node16' },
  { mode: 'node18', type: 'commonjs', module: 'node18' },
  { mode: 'node16-esm', type: 'module', module: 'node16', checksAll: true },
  { mode: 'bundler', type: 'module', module: 'esnext', moduleResolution: 'bundler' },
]
const OPTIONS = {
  ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
  ...{ target: 'es2022', lib: ['es2022'], types: ['node'], esModuleInterop: true, rootDir: 'src' },
}
const PROGRAMS = ['main', 'es-modules']
const FAULTY = ['faulty-hosts.ts']
const all = readdirSync('src')
const sound = all.filter((name) => !FAULTY.includes(name))
/** The types that are hardest to compile. */
const hard = ['assert.ts', 'events.ts', 'es-modules.ts']

for (const { mode, type, checksAll = false, ...resolution } of MODES) {
  const folder = join('modes', mode)
  mkdirSync(folder, { recursive: true })
  cpSync('src', join(folder, 'src'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type }))
  const compile = (compiler, skipLibCheck, names) => {
    const compilerOptions = { ...OPTIONS, ...resolution, skipLibCheck, outDir: join('out', compiler) }
    const files = names.map((name) => join('src', name))
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
    const tsc = join('../node_modules', compiler, 'bin/tsc')
    run(`${compiler} in the mode ${mode}`, tsc, '--project', folder)
  }
  compile('typescript', true, checksAll ? FAULTY : all)
  if (checksAll) compile('typescript', false, sound)
  compile('newest-typescript', true, hard)
  const compilers = ['typescript']
  // The oldest supported compiler does not know the mode node18, nor the syntax of all declarations.
  if (mode !== 'node18') {
    compile('oldest-typescript', true, all)
    compilers.push('oldest-typescript')
  }
  for (const compiler of compilers) {
    for (const program of PROGRAMS) {
      const file = join(folder, 'out', compiler, `${program}.js`)
      run(`${program}, which ${compiler} made in the mode ${mode}`, file)
    }
  }
}

function run(title, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status === 0) return
  console.error(`FAILED: ${title}\n${stdout}${stderr}`)
  process.exitCode = 1
}
