// Compiles the program in src with each compiler in each module mode, and prints which of them fail. Each mode has a
// folder of its own, because the package.json above a file decides what kind of module it is.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// All declarations are checked once as CommonJS and once as ES modules; everywhere else, only the program is checked.
const MODES = [
  { mode: 'commonjs', type: 'commonjs', module: 'commonjs', checksAll: true },
  { mode: 'node16', type: 'commonjs', module: 'node16' },
  // The oldest supported compiler does not know it.
  { mode: 'node18', type: 'commonjs', module: 'node18', compilers: ['typescript', 'newest-typescript'] },
  { mode: 'node16-esm', type: 'module', module: 'node16', checksAll: true },
  { mode: 'bundler', type: 'module', module: 'esnext', moduleResolution: 'bundler' },
]
const OPTIONS = {
  ...{ strict: true, exactOptionalPropertyTypes: true, target: 'es2022', lib: ['es2022'], types: ['node'] },
  ...{ esModuleInterop: true, rootDir: 'src' },
}
// Hosts whose own declarations are wrong: @hapi/hapi imports from joi without depending on it, and @types/koa expects of
// content-disposition what its newest version does not have.
const FAULTY = ['hapi.ts', 'koa.ts']
const sources = readdirSync('src')

const COMPILERS = ['typescript', 'oldest-typescript', 'newest-typescript']

for (const { mode, type, checksAll = false, compilers = COMPILERS, ...resolution } of MODES) {
  const folder = join('modes', mode)
  mkdirSync(folder, { recursive: true })
  cpSync('src', join(folder, 'src'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type }))
  // The module "commonjs" has no ES modules.
  const all = mode === 'commonjs' ? sources.filter((name) => !name.endsWith('.mts')) : sources
  const sound = all.filter((name) => !FAULTY.includes(name))
  const programs = ['main.js', 'es-modules.js', ...(all.includes('sandbox.mts') ? ['sandbox.mjs'] : [])]
  const runs = [
    { compiler: 'typescript', skipLibCheck: true, files: checksAll ? FAULTY : all },
    ...(checksAll ? [{ compiler: 'typescript', skipLibCheck: false, files: sound }] : []),
    // The oldest supported compiler does not know the syntax of all declarations.
    { compiler: 'oldest-typescript', skipLibCheck: true, files: all },
    // The types that are hardest to compile.
    { compiler: 'newest-typescript', skipLibCheck: true, files: ['events.ts', 'es-modules.ts'] },
  ]
  const known = runs.filter(({ compiler }) => compilers.includes(compiler))
  for (const [index, { compiler, skipLibCheck, files }] of known.entries()) {
    const compilerOptions = { ...OPTIONS, ...resolution, skipLibCheck, outDir: join('out', compiler) }
    const project = join(folder, `tsconfig.${index}.json`)
    writeFileSync(project, JSON.stringify({ compilerOptions, files: files.map((name) => join('src', name)) }))
    const tsc = join('../node_modules', compiler, 'bin/tsc')
    run(`${compiler} in the mode ${mode}`, tsc, '--project', project)
  }
  for (const compiler of ['typescript', 'oldest-typescript'].filter((name) => compilers.includes(name))) {
    for (const program of programs) {
      run(`${program}, which ${compiler} made in the mode ${mode}`, join(folder, 'out', compiler, program))
    }
  }
}

function run(title, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status === 0) return
  console.error(`FAILED: ${title}\n${stdout}${stderr}`)
  process.exitCode = 1
}
