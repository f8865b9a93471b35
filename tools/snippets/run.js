// Runs a snippet as a process of its own, does with it what its reader would do, and looks whether it does what it says.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { firstDifference } from './compare.js'
import { startReceiver } from './deliveries.js'
import { deliver, KEYS } from './endpoint.js'
import { Program } from './program.js'

/**
 * @typedef {import('./snippets.js').Snippet} Snippet
 *
 * @typedef {object} Surroundings what snippets find around them
 * @property {string} folder where programs are written, with the node_modules of the repository
 * @property {{ url: string, secret: string, apiKeys: { account: string } }} sandbox
 * @property {string | undefined} redisUrl
 */

// Frames ask for a port as the documents do.
const LISTENS = /\bserve\(|\b3000\b/

const preload = fileURLToPath(new URL('preload.js', import.meta.url))

/**
 * Fails unless the snippet runs as it is written, and does what it says.
 *
 * @param {Snippet} snippet
 * @param {Surroundings} surroundings
 */
export async function runSnippet(snippet, surroundings) {
  const { anatomy, frame } = snippet
  const receiver = await startReceiver()
  const program = start(snippet, surroundings, receiver.host)
  try {
    const listens = anatomy.listens || (frame !== undefined && LISTENS.test(readFileSync(frame, 'utf8')))
    if (listens) await deliver(program, snippet, surroundings.sandbox.secret)
    else await runToItsEnd(program, snippet)
    if (anatomy.isTest && !/^# pass [1-9]/m.test(program.output.stdout)) throw new Error('it tests nothing')
    const { isFragment, block } = snippet
    if (anatomy.listens || anatomy.isTest || isFragment || frame !== undefined || block.output !== undefined)
      return
    if (anatomy.exported.length > 0 || receiver.received.length === 0) throw new Unknown(snippet)
    if (!receiver.areGenuine([KEYS.WEBHOOK_SECRET, surroundings.sandbox.secret]))
      throw new Error('what it sends is not genuine')
  } finally {
    await program.end()
    await receiver.close()
  }
}

/** A snippet of which nobody can say whether it did what it should. */
class Unknown extends Error {
  /** @param {Snippet} snippet */
  constructor({ name, anatomy }) {
    super(
      `${name} is of no known kind: it listens nowhere, prints nothing that stands below it, and sends nothing. ` +
        `Add a frame to tools/snippets/frames for one of: ${[...anatomy.exported, ...anatomy.names].join(', ')}`,
    )
  }
}

/**
 * @param {Snippet} snippet
 * @param {Surroundings} surroundings
 * @param {string} receiver
 */
function start(snippet, { folder, sandbox, redisUrl }, receiver) {
  const env = {
    ...KEYS,
    ...{ PAYMENT_SERVICE_URL: sandbox.url, PAYMENT_API_KEY: sandbox.apiKeys.account },
    ...{ HOST: undefined, REDIS_URL: redisUrl, BOOKKEEPING_URL: `http://${receiver}/` },
  }
  const unknown = snippet.anatomy.environment.find((name) => !(name in env))
  if (unknown !== undefined)
    throw new Error(`${snippet.name} reads ${unknown}, which tools/snippets/run.js does not give`)
  // Addresses that are the reader's own.
  const code = snippet.program
    .replaceAll('localhost:3000', receiver)
    .replaceAll('https://api.example.com', sandbox.url)
    .replaceAll(/'key_of_the_\w+_account'/g, `'${sandbox.apiKeys.account}'`)
  return startSnippet({ ...snippet, program: code }, { folder, env })
}

/**
 * Starts the program that a snippet becomes.
 *
 * @param {Snippet} snippet
 * @param {{ folder: string, env: Record<string, string | undefined> }} surroundings
 */
export function startSnippet({ name, program, anatomy, frame }, { folder, env }) {
  const path = join(folder, `${name.replaceAll(/\W/g, '-')}.js`)
  writeFileSync(path, ts.transpileModule(program, { compilerOptions: AS_WRITTEN }).outputText)
  const args = ['--import', preload, ...(anatomy.isTest ? ['--test-reporter=tap'] : []), frame ?? path]
  return new Program(folder, args, { ...env, SNIPPET: path })
}

const AS_WRITTEN = { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext }

/**
 * @param {Program} program
 * @param {Snippet} snippet
 */
async function runToItsEnd(program, { block }) {
  const code = await program.ended()
  const { stdout, stderr } = program.output
  if (code !== 0 || stderr !== '') throw new Error(`it ended with ${code}, and printed:\n${stdout}${stderr}`)
  const difference = block.output === undefined ? undefined : firstDifference(block.output, stdout)
  if (difference !== undefined) throw new Error(difference)
}
