import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { manualClock, startSandbox, type Sandbox } from '../../server/index.js'
import { ZOO } from './zoo.js'

interface Sent {
  readonly id: string
  readonly cause: object | null
  readonly last: { readonly verdict: string; readonly said: string | null }
}

const clock = manualClock()
let sandbox: Sandbox

beforeAll(async () => {
  // One for all: each endpoint has an address of its own, and to start one takes longer than to ask it.
  sandbox = await startSandbox({ checks: 'own', clock })
})
afterAll(() => sandbox.close())

async function control(path: string, body?: object): Promise<unknown> {
  const headers = { 'Content-Type': 'application/json' }
  const request = body && { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await fetch(`${sandbox.url}/_sandbox/${path}`, request)
  return ((await response.json()) as { data: unknown }).data
}

describe('The first cause that is named', () => {
  it.each(ZOO)('is the true one for an endpoint that $name: $cause', async ({ cause, title, said, open }) => {
    // Express in production and our adapters print why a delivery was refused.
    vi.spyOn(console, 'error').mockReturnValue()
    vi.spyOn(process, 'emitWarning').mockReturnValue()
    const url = await open({ secret: sandbox.secret, advance: clock.advance })
    const event = { url, template: 'intent-processed', retries: false }
    const { deliveries } = (await control('compose/', event)) as { deliveries: readonly Sent[] }
    await sandbox.idle()
    const sent = (await control(`deliveries/${deliveries[0]!.id}/`)) as Sent
    expect(sent.cause).toEqual(
      cause && expect.objectContaining({ cause, ...(title && { title }), ...(said && { said }) }),
    )
    const isGood = cause === null || title === 'Your endpoint took 6.0 s'
    expect(sent.last.verdict).toMatch(isGood ? /^accepted$/ : /^(?:accepts-forgeries|refused|no-answer)$/)
  })
})
