import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { auditOf } from './support/audit.js'
import { endpointOf } from './support/recipe.js'
import { isMissing } from '@service-signature/contract/services'

const certificate = makeCertificate()

describe.skipIf(isMissing('openssl'))('an endpoint with TLS', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
  })

  async function start(): Promise<string> {
    const server = createServer({ key: certificate, cert: certificate }, endpointOf({}))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    return `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
  }

  it('is audited like any other', async () => {
    vi.spyOn(process, 'emitWarning').mockReturnValue()
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    expect(await auditOf(await start(), { only: 'genuine' })).toMatchObject({ passed: 2, total: 2 })
  })

  it('is not reached if its certificate is not trusted', async () => {
    const { reason, problem } = await auditOf(await start())
    expect(reason).toBe('no-answer')
    expect(problem).toContain('no connection (DEPTH_ZERO_SELF_SIGNED_CERT)')
  })
})

/** A key and a certificate of its own in one text. */
function makeCertificate(): string {
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1']
  const args = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-keyout',
    '-',
  ]
  return execFileSync('openssl', [...args, ...name], { encoding: 'utf8', stdio: 'pipe' })
}
