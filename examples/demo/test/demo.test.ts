import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startSandbox } from '@service-signature/sandbox'
import { startEndpoint, type Endpoint } from '../src/endpoint.js'
import { createMerchant } from '../src/merchant.js'
import { runScenario } from '../src/scenario.js'

const program = fileURLToPath(new URL('../src/main.js', import.meta.url))

function demo(...argv: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...argv], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

describe('the demo', () => {
  it('runs its scenario once, with the expected results', () => {
    const { status, stdout, stderr } = demo('--once')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout.match(/verified {2}transaction\.purchase\.successful/g)).toHaveLength(3)
    expect(stdout.match(/verified {2}intent\.processed .* PROCESSED/g)).toHaveLength(3)
    expect(stdout).toMatch(/refused {3}401, ERR_SIGNATURE_MISMATCH/)
    expect(stdout).toMatch(/refused {3}401, ERR_TIMESTAMP_TOO_OLD/)
    expect(stdout).toMatch(/answered {2}200, not handled again/)
    expect(stdout).toMatch(/Every step had the expected result\.\n$/)
  })

  it('distinguishes wrong use from a failure', () => {
    expect(demo('--twice')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('--once') as string,
    })
    expect(demo('--port', '65536')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^"port" must be/) as string,
    })
  })

  it.each<[fault: string, spoil: (endpoint: Endpoint) => object, faults: number]>([
    ['handles nothing', () => ({ handled: [] }), 3],
    ['reports no refusal', () => ({ refused: [] }), 2],
  ])('reports steps with another result if the endpoint %s', async (_fault, spoil, faults) => {
    vi.spyOn(console, 'log').mockReturnValue()
    onTestFinished(() => void vi.restoreAllMocks())
    const sandbox = await startSandbox({ timeScale: 1_000_000 })
    onTestFinished(sandbox.close)
    const service = { baseUrl: sandbox.url, apiKey: sandbox.apiKeys.account }
    const endpoint = await startEndpoint(service)
    onTestFinished(endpoint.close)
    const merchant = createMerchant(service)
    await expect(
      runScenario({ sandbox, endpoint: { ...endpoint, ...spoil(endpoint) }, merchant }),
    ).resolves.toBe(faults)
  })
})
