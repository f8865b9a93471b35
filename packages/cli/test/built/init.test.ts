import { spawnSync } from 'node:child_process'
import { chmodSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { TestProject } from '../support/project.js'

const bin = fileURLToPath(new URL('../../bin/service-signature.js', import.meta.url))
const env = { PATH: process.env['PATH'], NO_COLOR: '1' }

/** The packages of each host that the workspace has, and one file that has everything that Vitest needs. */
const HOSTS = {
  express: ['express'],
  koa: ['koa'],
  hapi: ['@hapi/hapi'],
  fastify: ['fastify'],
  nest: ['@nestjs/core', '@nestjs/common', '@nestjs/platform-express', 'reflect-metadata', 'rxjs'],
  hono: ['hono'],
  next: [],
  workers: [],
  lambda: [],
  node: [],
}
const ADAPTERS: Readonly<Record<string, string>> = { hono: 'fetch', next: 'fetch', workers: 'fetch' }

const forms = Object.keys(HOSTS).flatMap((host) => [
  ...(host === 'nest' ? [] : ['js module', 'js commonjs', 'js commonjs vitest']).map((form) => [host, form]),
  [host, 'ts module vitest'],
]) as [keyof typeof HOSTS, string][]

it.each(forms)(
  'the endpoint that init writes for %s as %s answers a signed event, and refuses a forged one',
  (host, form) => {
    const [language, type, runner] = form.split(' ')
    const adapter = ADAPTERS[host] ?? host
    const dependencies = { '@service-signature/core': '0.1.0', [`@service-signature/${adapter}`]: '0.1.0' }
    const project = new TestProject({
      'package.json': {
        ...(type === 'module' && { type }),
        dependencies,
        devDependencies: runner === 'vitest' ? { vitest: '4' } : {},
      },
      ...(language === 'ts' && {
        'tsconfig.json': { compilerOptions: { experimentalDecorators: true, emitDecoratorMetadata: true } },
      }),
    })
    project.install(...Object.keys(dependencies), 'vitest', ...HOSTS[host])
    const options = { cwd: project.folder, env, encoding: 'utf8' } as const
    const init = spawnSync(process.execPath, [bin, 'init', '--host', host, '--yes', '--json'], options)
    expect(init).toMatchObject({ status: 0, stderr: '' })
    const { written, answers } = JSON.parse(init.stdout) as { written: string[]; answers: object }
    expect(answers).toEqual({ signed: 204, forged: 401 })

    // Again by itself: the handler ran for the signed event alone.
    const program = runner === 'vitest' ? ['node_modules/vitest/vitest.mjs', 'run'] : ['--test']
    const test = spawnSync(process.execPath, [...program, written[1]!], options)
    expect(test.status).toBe(0)
    expect(test.stdout.match(/paid: int_01jqbz1v3tfp8n6r4y0m2kcj9w/g)).toHaveLength(1)
  },
)

it('writes nothing if a folder cannot be written', () => {
  const project = new TestProject({ 'package.json': { dependencies: { express: '5' } }, 'src/a.js': '' })
  const options = { cwd: project.folder, env, encoding: 'utf8' } as const
  chmodSync(project.folder, 0o777)
  chmodSync(join(project.folder, 'src'), 0o555)
  // The permissions do not bind root.
  const user = process.getuid!() === 0 ? { uid: 65534 } : {}
  const { status, stderr } = spawnSync(process.execPath, [bin, 'init', '--yes'], { ...options, ...user })
  expect(stderr).toMatch(/^error: Cannot write src\/webhooks\.js: EACCES: /)
  expect(status).toBe(2)
  expect(readdirSync(project.folder).sort()).toEqual(['package.json', 'src'])
})
