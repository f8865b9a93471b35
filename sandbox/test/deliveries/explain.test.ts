import { describe, expect, it } from 'vitest'
import { DECLINED, startWithEndpoint } from '../support/service.js'

interface Explanation {
  readonly on_purpose: readonly string[]
  readonly change: { readonly at: number; readonly signed: string; readonly sent: string } | null
  readonly report: {
    readonly ok: boolean
    readonly code?: string
    readonly checks: readonly { readonly name: string; readonly outcome: string }[]
  }
  readonly text: string
}

/** A delivery with one valid attempt, its path, and what is explained of it. */
async function delivered() {
  const { service, endpoint } = await startWithEndpoint()
  const [delivery] = await service.sent(endpoint.url, { card: DECLINED })
  const { id, body } = delivery!
  const path = `/_sandbox/deliveries/${id}/explain/`
  const explain = async (query = '') => (await service.get(path + query)).data as unknown as Explanation
  return { service, id, body, path, explain }
}

describe('The explain report', () => {
  it('of a tampered attempt shows exactly what was changed', async () => {
    const { service, id, body, explain } = await delivered()
    const { attempts } = (await service.resend(id, { tamper: true })).data
    const explanation = await explain()
    const { at, signed, sent } = explanation.change!
    expect([signed, sent]).toEqual(['1', '2'])
    expect(attempts[1]!.body).toBe(body.slice(0, at) + sent + body.slice(at + signed.length))
    expect(explanation).toMatchObject({ report: { ok: false, code: 'ERR_SIGNATURE_MISMATCH' } })
    const sentence = `Changed after signing (tamper): at character ${at}, "${signed}" became "${sent}".`
    expect(explanation.text.startsWith(`On purpose\n  ${sentence}\n\n`)).toBe(true)
  })

  it('of a forgery names all that was done on purpose', async () => {
    const { service, id, explain } = await delivered()
    const stale = 'Signed with a time that was an hour old (stale).'
    const unsigned = 'Sent without Service-Signature (no-signature).'
    const tampered = expect.stringContaining('Changed after signing (tamper)') as string
    const otherSecret = 'Signed with another secret and another API key (wrong-secret).'
    for (const [forgeries, sentences] of [
      [{ no_signature: true }, [unsigned]],
      [{ tamper: true, stale: true, wrong_secret: true }, [tampered, stale, otherSecret]],
    ] as const) {
      await service.resend(id, forgeries)
      expect(await explain()).toMatchObject({ on_purpose: sentences, report: { ok: false } })
    }
  })

  it('is of the attempt that is asked for, as it was when it was made, and all versions of a valid one match', async () => {
    const { service, id, explain } = await delivered()
    await service.resend(id, { tamper: true })
    service.clock.advance(24 * 3600 * 1000)
    await service.resend(id)
    const valid = { on_purpose: [], change: null, report: { ok: true } }
    for (const [attempt, expected] of [valid, { report: { ok: false } }, valid].entries())
      expect(await explain(`?attempt=${attempt + 1}`)).toMatchObject(expected)
    expect((await explain()).text).toMatch(/^It verifies: v1, v2, v3 match under /)
  })

  it('contains no key, no secret and no body', async () => {
    const { service, id, body, path } = await delivered()
    await service.resend(id, { tamper: true })
    const { text } = await service.get(path)
    const { secret, apiKeys } = service.sandbox
    for (const hidden of [secret, apiKeys.account, body.slice(0, 200)]) expect(text).not.toContain(hidden)
  })

  it('is refused for no such attempt, an unknown delivery, and one that was not sent yet', async () => {
    const { service, path } = await delivered()
    await service.faults({ deliveries: { delayMs: 1000 } })
    const { id } = (await service.sent('http://127.0.0.1:1/')).at(-1)!
    for (const [refused, code] of [
      [`${path}?attempt=0`, 400],
      [`${path}?attempt=2`, 404],
      ['/_sandbox/deliveries/dlv_none/explain/', 404],
      [`/_sandbox/deliveries/${id}/explain/`, 404],
    ] as const)
      expect((await service.get(refused)).code, refused).toBe(code)
  })
})
