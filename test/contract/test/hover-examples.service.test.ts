import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))

const DISPATCHER = "declare const dispatcher: import('@service-signature/core').Dispatcher\n"
const HONO = "import { Hono } from 'hono'\nconst app = new Hono()\n"
const DENO =
  'declare const Deno: { serve(handler: (request: Request) => Response | Promise<Response>): void }\n'

/** Where the main function of each adapter is, how it is imported, and the names that its examples use. */
const ADAPTERS = [
  ['express/src/index.ts', 'express', "import express from 'express'\nconst app = express()\n"],
  ['koa/src/index.ts', 'koa', "import Router from '@koa/router'\nconst router = new Router()\n"],
  ['hapi/src/index.ts', 'hapi', "import Hapi from '@hapi/hapi'\nconst server = Hapi.server()\n"],
  ['fastify/src/index.ts', 'fastify', "import Fastify from 'fastify'\nconst app = Fastify()\n"],
  ['node/src/index.ts', 'node', `import { createServer } from 'node:http'\n${DISPATCHER}`],
  ['fetch/src/index.ts', 'fetch', HONO + DENO + DISPATCHER],
  ['fetch/src/hono.ts', 'fetch/hono', HONO],
  ['lambda/src/index.ts', 'lambda', ''],
] as const

/** The examples that an editor shows of `serviceSignature`, as they are in the sources. */
function examplesIn(file: string): readonly string[] {
  const comments = readFileSync(`${root}packages/${file}`, 'utf8').matchAll(
    /\/\*\*\n((?: \*.*\n)+?) \*\/\nexport (?:function|const) serviceSignature\b/g,
  )
  return Array.from(comments).flatMap(([, comment]) => {
    const text = comment!.replaceAll(/^ \* ?/gm, '')
    return Array.from(text.matchAll(/^@example\n([^]*?)(?=^@|(?![^]))/gm), ([, example]) => example!)
  })
}

const sources = ADAPTERS.flatMap(([file, entry, before]) =>
  examplesIn(file).map((example, index) => {
    const head = `import { serviceSignature } from '@service-signature/${entry}'\n${before}`
    const name = `${file} ${index + 1}`
    return {
      file,
      name,
      path: `${root}test/contract/test/${name.replaceAll(/\W/g, '-')}.ts`,
      text: head + example,
    }
  }),
)

/** What the workspace demands beyond `strict`. */
const NOT_STRICT = {
  noPropertyAccessFromIndexSignature: false,
  noUnusedLocals: false,
  noUnusedParameters: false,
}

/** The errors of the compiler in each example, all of which it reads together. */
function errorsByPath(): ReadonlyMap<string, readonly string[]> {
  const texts = new Map(sources.map(({ path, text }) => [path, text]))
  const host = {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: () => expect.fail('tsconfig.json is broken'),
  }
  const { options } = ts.getParsedCommandLineOfConfigFile(`${root}tsconfig.json`, {}, host)!
  const compiler = ts.createCompilerHost(options)
  const program = ts.createProgram(
    [...texts.keys()],
    { ...options, ...NOT_STRICT },
    {
      ...compiler,
      fileExists: (path) => texts.has(path) || compiler.fileExists(path),
      readFile: (path) => texts.get(path) ?? compiler.readFile(path),
      getSourceFile: (path, version, ...rest) => {
        const text = texts.get(path)
        return text === undefined
          ? compiler.getSourceFile(path, version, ...rest)
          : ts.createSourceFile(path, text, version)
      },
    },
  )
  return new Map(
    Array.from(texts.keys(), (path) => {
      const diagnostics = ts.getPreEmitDiagnostics(program, program.getSourceFile(path))
      return [path, diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))]
    }),
  )
}

describe('the examples that an editor shows', () => {
  const errors = errorsByPath()

  it.each(sources)('compile in strict mode: $name', ({ path }) => {
    expect(errors.get(path)).toEqual([])
  })

  it.each(ADAPTERS)('are there for the main function: %s', (file) => {
    expect(sources.some((source) => source.file === file)).toBe(true)
  })
})
