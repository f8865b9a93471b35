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
    .map((line) => line.replaceAll(/\b[34]00[01]\b/g, (port) => String(ports[port])))
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
])('the sessions of the %s page show what its endpoints answer', async ([host, quickStart]) => {
  const [first, second, ...others] = sessionsOf(`packages/${host}/README.md`)
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

it('the sessions of the CLI page show what it prints', async () => {
  const isStart = (session: string) => session.startsWith('$ service-signature sandbox ')
  const sessions = sessionsOf('packages/cli/README.md')
  const [typed, shown] = sessions.find(isStart)!.split('\n')
  const sandbox = spawnNode([command, ...typed!.replace('4000', '0').split(' ').slice(2)])
  const [printed] = (await once(createInterface(sandbox.stdout), 'line')) as [string]
  expect(constant(printed)).toMatch(patternOf(shown!))

  await check(sessions.filter((session) => !isStart(session)).join(''), {
    3000: await start('express/quick-start.js').port(),
    3001: await start('cli/reserialized-body.js').port(),
    4000: Number(/127\.0\.0\.1:(\d+)/.exec(printed)![1]),
  })
})
