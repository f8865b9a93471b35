import { build, type Plugin } from 'esbuild'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The conditions that the bundlers of Workers use. */
const CONDITIONS = ['workerd', 'worker', 'browser', 'import', 'default']
const PACKAGES = new URL('../../../', import.meta.url)

export interface Bundle {
  readonly code: string
  /** How many bytes of it each module takes, the largest first. */
  readonly modules: readonly (readonly [path: string, bytes: number])[]
  /** Modules that it would still load. */
  readonly imports: readonly string[]
}

/** Bundles a program for Workers, the way it is published: minified, in one module. */
export async function bundleForWorkers(program: string): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: program, resolveDir: fileURLToPath(PACKAGES) },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    conditions: CONDITIONS,
    plugins: [fromSources],
    write: false,
    metafile: true,
    outdir: '/',
    logLevel: 'silent',
  })
  const [output] = Object.values(metafile.outputs)
  return {
    code: outputFiles[0]!.text,
    imports: output!.imports.map(({ path }) => path),
    modules: Object.entries(output!.inputs)
      .map(([path, { bytesInOutput }]) => [path.replace(/^.*packages\//, ''), bytesInOutput] as const)
      .filter(([, bytes]) => bytes > 0)
      .sort(([, a], [, b]) => b - a),
  }
}

/** Our packages by the conditions of their package.json, but the source of each file and not a build of it. */
const fromSources: Plugin = {
  name: 'from-sources',
  setup(bundler) {
    bundler.onResolve({ filter: /^@service-signature\// }, ({ path }) => {
      const [, name, subpath = ''] = /^@service-signature\/([^/]+)(.*)$/.exec(path)!
      const folder = new URL(`${name!}/`, PACKAGES)
      const { exports } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8')) as {
        readonly exports: string | Readonly<Record<string, Target>>
      }
      const target = typeof exports === 'string' ? exports : exports[`.${subpath}`]
      const entries = name === 'core' ? 'src/entries' : 'src'
      // Modules that are not published, such as those of core/shared, are copied into each package.
      const file =
        target === undefined
          ? `src${subpath}.ts`
          : choose(target).replace(/^\.\/dist\/(.*)\.mjs$/, `${entries}/$1.ts`)
      return { path: fileURLToPath(new URL(file, folder)), sideEffects: false }
    })
  },
}

type Target = string | { readonly [condition: string]: Target }

/** The first condition that applies, as resolvers choose it. */
function choose(target: Target): string {
  if (typeof target === 'string') return target
  return choose(Object.entries(target).find(([condition]) => CONDITIONS.includes(condition))![1])
}
