// Compiles the program in src with each compiler in each mode, where the mode has a folder of its own: what a file is depends
// on the package.json above it.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compilers, modes } from './modes.js'

// What checks all declarations, those of the hosts too, except where a host's own have faults: @hapi/hapi imports from joi,
// and does not depend on it; @types/koa asks of content-disposition what its newest version does not have.
const FAULTY = ['hapi', 'koa']

const names = readdirSync('src').map((file) => file.replace('.ts', ''))
// A package that is not built is not installed.
const isThere = (name) => name === 'main' || existsSync(`node_modules/@service-signature/${name}`)

for (const { mode, type, compilerOptions } of modes) {
  const folder = join('modes', mode)
  mkdirSync(folder, { recursive: true })
  cpSync('src', join(folder, 'src'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type }))
  for (const { compiler, skipLibCheck } of compilers) {
    const compile = (names, skipLibCheck, title) => {
      const options = {
        ...{
          strict: true,
          exactOptionalPropertyTypes: true,
          target: 'es2022',
          lib: ['es2022'],
          types: ['node'],
        },
        ...{
          esModuleInterop: true,
          rootDir: 'src',
          outDir: join('out', compiler),
          skipLibCheck,
          ...compilerOptions,
        },
      }
      const project = join(folder, `tsconfig.${compiler}.${title}.json`)
      writeFileSync(
        project,
        JSON.stringify({ compilerOptions: options, files: names.map((name) => `src/${name}.ts`) }),
      )
      const tsc = join('node_modules', compiler, 'bin/tsc')
      const { status, stdout } = spawnSync(process.execPath, [tsc, '--project', project], {
        encoding: 'utf8',
      })
      if (status === 0) return
      console.error(`${compiler}, ${mode}:\n${stdout}`)
      process.exitCode = 1
    }
    const there = names.filter(isThere)
    if (skipLibCheck) compile(there, true, 'all')
    else {
      compile(
        there.filter((name) => !FAULTY.includes(name)),
        false,
        'sound',
      )
      compile(FAULTY, true, 'faulty')
    }
  }
}
