import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { EVENT_TYPES } from '../../src/index.js'

const HERE = fileURLToPath(new URL('completion.ts', import.meta.url))

/** What an editor offers at the place of `|`. */
function completionsIn(code: string): readonly string[] {
  const text = code.replace('|', '')
  const options: ts.CompilerOptions = {
    strict: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    types: [],
  }
  const read = (path: string) => (path === HERE ? text : ts.sys.readFile(path))
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getCurrentDirectory: () => ts.sys.getCurrentDirectory(),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getScriptFileNames: () => [HERE],
    getScriptVersion: () => '1',
    getScriptSnapshot: (path) => {
      const content = read(path)
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content)
    },
    fileExists: (path) => path === HERE || ts.sys.fileExists(path),
    readFile: read,
  })
  const { entries = [] } = service.getCompletionsAtPosition(HERE, code.indexOf('|'), {}) ?? {}
  service.dispose()
  return entries.map(({ name }) => name)
}

const IMPORT = "import { createDispatcher, type EventHandler, type WebhookEvent } from '../../src/index.js'\n"
const PATTERNS = ['*', ...EVENT_TYPES, 'transaction.*', 'intent.*'].sort()

describe('an editor completes', () => {
  it.each([
    ['the patterns of .on(', "createDispatcher().on('|')"],
    ['the patterns of .on( that has a handler', "createDispatcher().on('|', () => undefined)"],
    ['the patterns of EventHandler', "export type Handler = EventHandler<'|'>"],
  ])('%s', (_what, code) => {
    expect([...completionsIn(IMPORT + code)].sort()).toEqual(PATTERNS)
  })

  it('the fields of the payload of a known type', () => {
    const code = "createDispatcher().on('transaction.purchase.successful', ({ payload }) => payload.intent.|)"
    expect(completionsIn(IMPORT + code)).toEqual([
      'amount',
      'created',
      'custom_fields',
      'custom_form_answers',
      'id',
    ])
  })

  it('the fields of an event that was narrowed by its type', () => {
    const code =
      "export const f = (event: WebhookEvent) => event.type === 'intent.processed' && event.payload.data.|"
    expect(completionsIn(IMPORT + code)).toEqual(['intent', 'intent_id'])
  })
})
