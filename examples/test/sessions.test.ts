import { spawn } from 'node:child_process'
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
    `npx() { [ "$1" = service-signature ] && ${quote(process.execPath)} ${quote(command)} "\${@:2}"; }`,
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
])('the session of docs/hosts.md shows what the quick start for %s answers', async ([host, quickStart]) => {
  const [session, ...others] = sessionsOf('docs/hosts.md')
  expect(others).toEqual([])
  const program = start(`${host}/${quickStart!}`)
  await check(session!, { 3000: await program.port() })
  expect((await program.end()).stdout).toBe('verified: transaction.purchase.successful\n')
})

/** Starts a sandbox by the line that the page of the command shows, and returns its port and its secret. */
async function startSandbox(session: string) {
  const [typed, ...shown] = session.split('\n')
  const sandbox = spawnNode([command, ...typed!.replace('4000', '0').split(' ').slice(3)])
  let printed = ''
  for await (const line of createInterface(sandbox.stdout)) {
    printed += `${line}\n`
    if (line.startsWith('Organization key')) break
  }
  expect(constant(printed)).toMatch(patternOf(shown.join('\n')))
  const [, port, secret] = /127\.0\.0\.1:(\d+)[^]*WEBHOOK_SECRET=(\S+)/.exec(printed)!
  return { port: Number(port), secret: secret! }
}

it('the sessions of the README of the CLI, and of the page of its tasks, show what it prints', async () => {
  const isStart = (session: string) => session.startsWith('$ npx service-signature sandbox ')
  const tasks = sessionsOf('docs/command-line.md')
  const { port, secret } = await startSandbox(tasks.find(isStart)!)
  const ports = {
    3000: await start('express/quick-start.js').port(),
    3001: await start('cli/reserialized-body.js').port(),
    3002: await start('express/quick-start.js', { WEBHOOK_SECRET: secret }).port(),
    4000: port,
  }
  const readme = sessionsOf('packages/cli/README.md')
  expect(readme.length).toBeGreaterThan(0)
  await check(readme.join(''), ports)
  expect(tasks.length).toBeGreaterThan(8)
  await check(tasks.filter((session) => !isStart(session)).join(''), ports)
})
