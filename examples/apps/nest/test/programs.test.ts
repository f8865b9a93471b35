import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { forged, pathOf, SECRET, send, valid } from '../../../test/support.js'

const folder = pathOf('examples/apps/nest')
// The packages are links here, and must find the Nest of this folder.
const LINKS = ['--preserve-symlinks', '--preserve-symlinks-main']
const NODE_OPTIONS = [...LINKS, '--import', join(folder, 'test/report-port.js')]

describe.each([
  ['CommonJS', 'commonjs', ['--module', 'commonjs', '--moduleResolution', 'bundler']],
  ['ES modules', 'module', []],
])('compiled to %s', (_, type, options) => {
  const compiled = join(folder, 'compiled', type)
  const children: ChildProcess[] = []

  beforeAll(() => {
    const tsc = pathOf('node_modules/typescript/bin/tsc')
    const project = ['--project', join(folder, 'tsconfig.json'), '--noEmit', 'false', '--outDir', compiled]
    const { status, stdout } = spawnSync(process.execPath, [tsc, ...project, ...options], {
      encoding: 'utf8',
    })
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
    writeFileSync(join(compiled, 'package.json'), JSON.stringify({ type }))
  })

  afterAll(() => {
    for (const child of children) child.kill('SIGKILL')
    rmSync(compiled, { recursive: true })
  })

  it.each([
    ['main-express.js', 200],
    ['main-fastify.js', 204],
  ])('%s handles only valid deliveries', async (main, statusOfDuplicate) => {
    const program = join(compiled, 'examples/apps/nest/src', main)
    const child = spawn(process.execPath, [...NODE_OPTIONS, program], {
      cwd: folder,
      env: { PATH: process.env['PATH'], PORT: '0', WEBHOOK_SECRET: SECRET, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    children.push(child)
    const printed = Promise.all([text(child.stdout!), text(child.stderr!)])
    const [port] = (await Promise.race([
      once(child, 'message'),
      printed.then((output) => Promise.reject(new Error(output.join('')))),
    ])) as [number]
    const url = `http://localhost:${port}/webhooks`

    for (const delivery of valid(SECRET, 'int_1')) expect(await send(url, delivery)).toBe(204)
    for (const delivery of forged(SECRET)) expect(await send(url, delivery)).toBe(401)
    const [, again] = valid(SECRET, 'int_2')
    expect(await send(url, again!)).toBe(204)
    expect(await send(url, again!)).toBe(statusOfDuplicate)

    child.kill()
    const output = (await printed).join('')
    expect(output).toContain('[PaymentsService] paid: int_1')
    expect(output).toContain('[Webhooks] not handled: transaction.purchase.successful')
    expect(output).toContain('[Webhooks] not handled: something.new')
    expect(output).not.toContain('ERROR')
    expect(output.match(/paid: int_2/g)).toHaveLength(statusOfDuplicate === 200 ? 1 : 2)
    expect(output).not.toContain('forged')
  })
})
