import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { constant, folder, patternOf, readPage, SECRET, spawnNode, start } from './support.js'

const command = fileURLToPath(new URL('../../packages/cli/bin/service-signature.js', import.meta.url))

/** The shell sessions of a page, in order. */
function sessionsOf(page: string): string[] {
  return [...readPage(page).matchAll(/^```console\n([^]*?)^```$/gm)].map(([, session]) => session!)
}

/** Types the lines that begin with "$ " into one shell, with the ports of this run, and compares what it shows. */
async function check(session: string, ports: Record<string, number>): Promise<void> {
  const typed = session
    .match(/^\$ .*/gm)!
    .map((line) => line.replaceAll(/\b[34]00[012]\b/g, (port) => String(ports[port])))
  const script = [
    'exec 2>&1',
    `service-signature() { ${quote(process.execPath)} ${quote(command)} "$@"; }`,
    'npx() { "$@"; }',
    // A command sees the exit code of the one before it as $?.
    ...typed.map((line) => `echo ${quote(line)}; (exit $status); eval ${quote(line.slice(2))}; status=$?`),
  ]
  const env = { PATH: process.env['PATH'], NO_COLOR: '1', WEBHOOK_SECRET: SECRET }
  const shell = spawn('bash', ['--norc', '-c', script.join('\n')], { cwd: folder, env })
  expect(constant(await text(shell.stdout))).toMatch(patternOf(session))
}

const quote = (value: string) => `'${value.replaceAll("'", String.raw`'\''`)}'`

it.concurrent.for([
  ['express', 'quick-start.js'],
  ['koa', 'quick-start.js'],
  ['hapi', 'quick-start.js'],
  ['fastify', 'quick-start.js'],
  ['fetch', 'hono.js'],
])('the sessions of docs/hosts.md show what the endpoints for %s answer', async ([host, quickStart]) => {
  const [first, second, ...others] = sessionsOf('docs/hosts.md')
  expect(others).toEqual([])
  for (const [session, example, printed] of [
    [first!, quickStart!, /^verified: transaction\.purchase\.successful\n$/],
    [second!, 'endpoint.js', /^paid: .*\n$/],
  ] as const) {
    const program = start(`${host}/${example}`)
    await check(session, { 3000: await program.port() })
    expect((await program.end()).stdout).toMatch(printed)
  }
})

/** Starts a sandbox by the line that the page of the command shows, and returns its port and its secret. */
async function startSandbox(session: string) {
  const [typed, shown] = session.split('\n')
  const sandbox = spawnNode([command, ...typed!.replace('4000', '0').split(' ').slice(2)])
  const [printed] = (await once(createInterface(sandbox.stdout), 'line')) as [string]
  expect(constant(printed)).toMatch(patternOf(shown!))
  const [, port, secret] = /127\.0\.0\.1:(\d+).* signing secret (\S+)/.exec(printed)!
  return { port: Number(port), secret: secret! }
}

it('the sessions of the CLI page, and of its twenty tasks, show what it prints', async () => {
  const isStart = (session: string) => session.startsWith('$ service-signature sandbox ')
  const sessions = sessionsOf('packages/cli/README.md')
  const { port, secret } = await startSandbox(sessions.find(isStart)!)
  const ports = {
    3000: await start('express/quick-start.js').port(),
    3001: await start('cli/reserialized-body.js').port(),
    3002: await start('express/quick-start.js', { WEBHOOK_SECRET: secret }).port(),
    4000: port,
  }
  await check(sessions.filter((session) => !isStart(session)).join(''), ports)
  const tasks = sessionsOf('docs/command-line.md')
  expect(tasks).toHaveLength(21)
  await check(tasks.join(''), ports)
})
