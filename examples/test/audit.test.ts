import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { buildSync } from 'esbuild'
import { describe, it } from 'vitest'
import { parse } from 'yaml'
import { freePort } from '../../test/contract/src/free-port.js'
import { folder, pathOf, readPage } from './support.js'

/** What a service for continuous integration types into its shell, and the environment of that. */
interface Job {
  readonly script: string
  readonly env: Readonly<Record<string, string>>
  /** Where the summary is afterwards. */
  readonly summary: string
}

const SUMMARY = 'step-summary.md'

function gitHubJob(): Job {
  const { jobs } = parse(readPage('examples/audit/github-actions.yml')) as {
    readonly jobs: {
      readonly audit: { readonly env: Job['env']; readonly steps: readonly { run?: string }[] }
    }
  }
  const { env, steps } = jobs.audit
  const script = steps.flatMap(({ run = [] }) => run).join('\n')
  return { script, env: { ...env, GITHUB_STEP_SUMMARY: SUMMARY }, summary: SUMMARY }
}

function gitLabJob(): Job {
  const { audit } = parse(readPage('examples/audit/gitlab-ci.yml')) as {
    readonly audit: {
      readonly variables: Job['env']
      readonly script: readonly string[]
      readonly artifacts: { readonly paths: readonly [string] }
    }
  }
  return { script: audit.script.join('\n'), env: audit.variables, summary: audit.artifacts.paths[0] }
}

const JOBS = { GitHub: gitHubJob(), GitLab: gitLabJob() }

/** The program of an endpoint, from a file that listens on PORT. */
interface Endpoint {
  readonly file: string
  readonly mistake?: string
}

buildSync({
  entryPoints: [pathOf('examples/test/weak-endpoints.ts')],
  outfile: join(folder, 'weak-endpoints.js'),
  bundle: true,
  platform: 'node',
  format: 'esm',
})
const weak = join(folder, 'weak-endpoints.js')

/** A project that starts an endpoint with "npm start", and has nothing to install. */
function projectOf(name: string, { file, mistake = '' }: Endpoint): string {
  const project = join(folder, name.replaceAll(/\W+/g, '-'))
  mkdirSync(project)
  copyFileSync(file, join(project, 'endpoint.js'))
  const manifest = { type: 'module', scripts: { start: `node endpoint.js "${mistake}"` } }
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest))
  const lock = { lockfileVersion: 3, requires: true, packages: { '': {} } }
  writeFileSync(join(project, 'package-lock.json'), JSON.stringify(lock))
  return project
}

/** Runs the job as it is written, but on a free port. */
async function run(service: keyof typeof JOBS, name: string, endpoint: Endpoint) {
  const { script, env, summary } = JOBS[service]
  const cwd = projectOf(`${service} ${name}`, endpoint)
  const port = String(await freePort())
  const shell = spawn('bash', ['--norc', '-e', '-c', script.replaceAll('3000', port)], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd, CI: 'true', PORT: port, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed = await Promise.all([text(shell.stdout), text(shell.stderr), once(shell, 'close')])
  return {
    code: shell.exitCode,
    printed: printed.join('\n'),
    summary: readFileSync(join(cwd, summary), 'utf8'),
    junit: readFileSync(join(cwd, 'audit.xml'), 'utf8'),
  }
}

const example = (path: string): Endpoint => ({ file: pathOf(`examples/${path}`) })

describe('the job that audits an endpoint in continuous integration', () => {
  it.concurrent.for([
    ['GitHub', 'Express', example('express/quick-start.js')],
    ['GitLab', 'Express', example('express/quick-start.js')],
    ['GitHub', 'Fastify', example('fastify/quick-start.js')],
    ['GitHub', 'Koa', example('koa/quick-start.js')],
    ['GitHub', 'Hapi', example('hapi/quick-start.js')],
    ['GitHub', 'node:http', example('node/quick-start.js')],
    ['GitHub', 'Hono', example('fetch/hono.js')],
  ] as const)(
    'of %s ends with 0 for the quick start of %s',
    async ([service, name, endpoint], { expect }) => {
      const { code, printed, summary, junit } = await run(service, name, endpoint)
      expect({ code, summary }, printed).toEqual({
        code: 0,
        summary: '### Webhook audit: 68 of 68 cases passed (100 %)\n',
      })
      expect(junit).toContain(' tests="68" failures="0" errors="0" skipped="0"')
    },
  )

  it.concurrent.for([
    [
      'GitHub',
      'does not verify',
      { file: weak, mistake: 'no verification' },
      'It does not verify signatures',
    ],
    [
      'GitHub',
      'verifies what JSON.stringify prints',
      example('cli/reserialized-body.js'),
      'It verifies the parsed body, not the bytes',
    ],
    [
      'GitHub',
      'does not check the time',
      { file: weak, mistake: 'no time window' },
      'It accepts deliveries that were signed long ago, or ahead of time',
    ],
    [
      'GitHub',
      'also accepts v1',
      { file: weak, mistake: 'another version' },
      'It lets the sender choose the version of the signature',
    ],
    [
      'GitLab',
      'also accepts v1',
      { file: weak, mistake: 'another version' },
      'It lets the sender choose the version of the signature',
    ],
  ] as const)(
    'of %s fails for an endpoint that %s',
    async ([service, name, endpoint, verdict], { expect }) => {
      const { code, printed, summary, junit } = await run(service, name, endpoint)
      expect(code, printed).toBe(1)
      expect(summary.split('\n')[0]).toMatch(/^### Webhook audit: \d\d of 68 cases passed \(\d\d %\)\. /)
      expect(summary).toContain(`${verdict}\n\n| Failed | What it costs | Fix |\n`)
      expect(junit).toContain('<failure type="accepts" ')
    },
  )
})
