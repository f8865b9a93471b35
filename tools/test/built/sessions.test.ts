import { readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { firstDifference } from '../../snippets/compare.js'
import { blocksOf } from '../../snippets/extract.js'
import { makeFolder } from '../../snippets/folder.js'
import { Program } from '../../snippets/program.js'
import { startSnippet } from '../../snippets/run.js'
import { stepsOf, typeIn, type Step } from '../../snippets/sessions.js'
import { root, snippets } from '../../snippets/snippets.js'

const README = 'packages/cli/README.md'
const HOSTS = ['express', 'koa', 'hapi', 'fastify', 'fetch']
const bin = fileURLToPath(new URL('packages/cli/bin/service-signature.js', root))
const env = { SERVICE_SIGNATURE_SECRET: 'test_signature_key' }
const blocks = blocksOf(root, README)
const steps = blocks.filter(({ language }) => language === 'console').flatMap(stepsOf)

let folder: string
beforeAll(() => {
  folder = makeFolder()
})
afterAll(() => {
  rmSync(folder, { recursive: true })
})

/** Starts the snippet of a document that stands last before a line, or else its first one, and gives its port. */
async function startEndpoint(document: string, before?: number): Promise<{ program: Program; port: number }> {
  const own = snippets().filter(({ block }) => block.file === document)
  const snippet = before === undefined ? own[0]! : own.filter(({ block }) => block.line < before).at(-1)!
  const program = startSnippet(snippet, { folder, env: { WEBHOOK_SECRET: env.SERVICE_SIGNATURE_SECRET } })
  onTestFinished(() => program.end())
  return { program, port: await program.port() }
}

/** Types the steps in, with the ports that there are, and tells where something else was printed. */
function faultsOf(own: readonly Step[], withPorts: (command: string) => string, document = README): string[] {
  const printed = typeIn(
    own.map((step) => ({ ...step, command: withPorts(step.command) })),
    { folder, bin, env },
  )
  return own.flatMap(({ line, output }, index) => {
    const difference = firstDifference(output, printed[index]!)
    return difference === undefined ? [] : `${document}:${line}: ${difference}`
  })
}

describe.each(HOSTS)('the sessions with the endpoints of the %s adapter', (host) => {
  const document = `packages/${host}/README.md`
  const shown = blocksOf(root, document).filter(({ language }) => language === 'console')

  it('are there', () => {
    expect(shown).toHaveLength(2)
  })

  it.each([
    [0, 'verified: transaction.purchase.successful'],
    [1, 'for the first time: transaction.purchase.successful'],
  ])('print what they show (%i)', async (index, line) => {
    const block = shown[index]!
    const { program, port } = await startEndpoint(document, block.line)
    const withPorts = (command: string) => command.replaceAll(/\b3000\b/g, String(port))
    expect(faultsOf(stepsOf(block), withPorts, document)).toEqual([])
    await program.printed(({ stdout }) => stdout.endsWith('\n'), 'what it verified')
    expect(program.output.stdout.trim()).toBe(line)
  })
})

const isOfTheSandbox = ({ command }: Step) => /\b4000\b|api-key\.txt/.test(command)

it('the sessions print what they show, with the endpoint of the Express adapter', async () => {
  const { port } = await startEndpoint('packages/express/README.md')
  const own = steps.filter((step) => !isOfTheSandbox(step))
  expect(own.length).toBeGreaterThan(8)
  expect(faultsOf(own, (command) => command.replaceAll(/\b3000\b/g, String(port)))).toEqual([])
})

it('the sessions with the sandbox print what they show', async () => {
  const [starting, ...own] = steps.filter(isOfTheSandbox)
  const args = starting!.command
    .replace(/\b4000\b/, '0')
    .split(' ')
    .slice(1)
  const sandbox = new Program(folder, [bin, ...args], {})
  onTestFinished(() => sandbox.end())
  await sandbox.printed(({ stdout }) => stdout.endsWith('\n'), 'its line')
  expect(firstDifference(starting!.output, sandbox.output.stdout)).toBeUndefined()

  const port = /127\.0\.0\.1:(\d+)/.exec(sandbox.output.stdout)![1]!
  expect(own.length).toBeGreaterThan(1)
  expect(faultsOf(own, (command) => command.replaceAll(/\b4000\b/g, port))).toEqual([])
})

it('the audit of the endpoint that prints its bodies again is as it is shown', async () => {
  const { port } = await startEndpoint(README)
  const command = /^Of it, `(service-signature audit .*)` says:$/m.exec(
    readFileSync(new URL(README, root), 'utf8'),
  )![1]!
  const shown = blocks.find(({ code }) => code.startsWith('Audit of '))!
  const typed = { line: 0, output: '', command: command.replaceAll(/\b3000\b/g, String(port)) }
  const [printed] = typeIn([typed], { folder, bin, env })
  expect(firstDifference(shown.code, printed!)).toBeUndefined()
})
