import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { EVENT_TYPES } from '../../src/entries/index.js'

const HERE = fileURLToPath(new URL('completion.ts', import.meta.url))

/** Asks the language service of an editor about the place of `|`. */
function askAt<Answer>(code: string, ask: (service: ts.LanguageService, at: number) => Answer): Answer {
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
  const answer = ask(service, code.indexOf('|'))
  service.dispose()
  return answer
}

/** What an editor offers. */
function completionsIn(code: string): readonly string[] {
  const completions = askAt(code, (service, at) => service.getCompletionsAtPosition(HERE, at, {}))
  return (completions?.entries ?? []).map(({ name }) => name)
}

/** What an editor shows of a name: its type, and its documentation. */
function hoverOver(code: string): { readonly type: string; readonly text: string } {
  const info = askAt(code, (service, at) => service.getQuickInfoAtPosition(HERE, at))
  return {
    type: ts.displayPartsToString(info?.displayParts),
    text: ts.displayPartsToString(info?.documentation),
  }
}

const IMPORT =
  "import { createDispatcher, type EventHandler, type WebhookEvent } from '../../src/entries/index.js'\n"
const PATTERNS = ['*', ...EVENT_TYPES, 'transaction.*', 'intent.*'].sort()

describe('an editor completes', () => {
  it.each([
    ['the patterns of .on(', "createDispatcher().on('|')"],
    ['the patterns of .on( that has a handler', "createDispatcher().on('|', () => undefined)"],
    ['the patterns of EventHandler', "export type Handler = EventHandler<'|'>"],
  ])('%s', (_what, code) => {
    expect([...completionsIn(IMPORT + code)].sort()).toEqual(PATTERNS)
  })

  it.each([
    ['a case', "export const f = (event: WebhookEvent) => { switch (event.type) { case '|': } }"],
    ['a comparison', "export const f = (event: WebhookEvent) => event.type === '|'"],
  ])('the known types in %s', (_what, code) => {
    expect([...completionsIn(IMPORT + code)].sort()).toEqual([...EVENT_TYPES, 'unrecognized'].sort())
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

describe('an editor shows', () => {
  const PURCHASE = "createDispatcher().on('transaction.purchase.successful', "

  it.each([
    [
      'the delivery of a type',
      `${PURCHASE}(webh|ook) => webhook)`,
      'webhook: DispatchedWebhook<TransactionEvent<"transaction.purchase.successful">>',
    ],
    [
      'the delivery of any event',
      'createDispatcher().otherwise((webh|ook) => webhook)',
      'webhook: DispatchedWebhook<WebhookEvent>',
    ],
    [
      'the delivery in a handler of its own',
      "export const h: EventHandler<'intent.processed'> = (webh|ook) => webhook",
      'webhook: DispatchedWebhook<IntentEvent<"intent.processed">>',
    ],
    ['a payload', `${PURCHASE}({ pay|load }) => payload)`, 'payload: TransactionPayload'],
    ['its intent', `${PURCHASE}({ payload }) => payload.int|ent)`, 'intent: TransactionIntent'],
    ['its amount', `${PURCHASE}({ payload }) => payload.intent.amou|nt)`, 'amount: Amount'],
  ])('%s by its name', (_what, code, type) => {
    expect(
      hoverOver(IMPORT + code)
        .type.split(/[ .](?=\w+: )/)
        .at(-1),
    ).toBe(type)
  })

  it('in what unit an amount is, and where it is a text', () => {
    const intent = "createDispatcher().on('intent.*', ({ payload }) => payload.data.intent."
    expect(hoverOver(`${IMPORT}${PURCHASE}({ payload }) => payload.intent.amount.val|ue)`)).toEqual({
      type: '(property) Amount.value: number',
      text: 'In major units (assumed): 50.5 is 50 euros and 50 cents.',
    })
    expect(hoverOver(`${IMPORT}${intent}amo|unt)`).text).toContain('major units')
    expect(hoverOver(`${IMPORT}${intent}active_transaction?.amo|unt)`)).toEqual({
      type: '(property) IntentTransaction.amount: string | undefined',
      text: "In major units (assumed), as text: `'50.50'`. All other amounts are numbers.",
    })
  })
})
