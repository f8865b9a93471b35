import { ESLint } from 'eslint'
import tseslint from 'typescript-eslint'
import ts from 'typescript'
import { expect, it } from 'vitest'

const folder = new URL('type-versions/', import.meta.url).pathname

const configOf = (express: 4 | 5) => `tsconfig.express${express}.json`

/** The reports of typescript-eslint's recommended typed rules for a file, with the types of this version of Express. */
async function reportsOn(file: string, express: 4 | 5): Promise<(string | null)[]> {
  const parserOptions = {
    project: configOf(express),
    tsconfigRootDir: folder,
    // In a continuous integration the program is made in another way, in which TypeScript fails over "paths".
    disallowAutomaticSingleRunInference: true,
  }
  const eslint = new ESLint({
    cwd: folder,
    overrideConfigFile: true,
    overrideConfig: [...tseslint.configs.recommendedTypeChecked, { languageOptions: { parserOptions } }],
  })
  const [result] = await eslint.lintFiles([file])
  return result!.messages.map(({ ruleId }) => ruleId)
}

it('the middleware compiles with the types of Express 4', () => {
  const host = {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: () => expect.fail('the configuration is broken'),
  }
  const { fileNames, options } = ts.getParsedCommandLineOfConfigFile(folder + configOf(4), {}, host)!
  const program = ts.createProgram(fileNames, options)
  const files = program.getSourceFiles().map(({ fileName }) => fileName)
  expect(files).toContainEqual(expect.stringContaining('types-express4/index.d.ts'))
  expect(files).not.toContainEqual(expect.stringContaining('@types/express/index.d.ts'))
  expect(ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText)).toEqual([])
})

it.each([4, 5] as const)(
  'the lint rules about promises accept the middleware with the types of Express %i',
  async (express) => {
    expect(await reportsOn('routes.ts', express)).toEqual([])
  },
)

it('the lint rules about promises report a middleware that returns a promise with the types of Express 4', async () => {
  const reports = await reportsOn('async-middleware.ts', 4)
  expect(reports).toEqual(['@typescript-eslint/no-misused-promises'])
})
