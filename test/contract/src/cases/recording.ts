import { readDeliveries } from '@service-signature/deliveries'
import { explain } from '@service-signature/explain'
import { recordRefusals } from '@service-signature/explain/record'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Host } from '../host.js'
import { delivery, now, secret, sign, transaction } from '../support/deliveries.js'
import { serve } from '../support/endpoint.js'

/** What a refusal leaves behind, if the operator asks for it. */
export function recording(host: Host): void {
  it('a refusal can be recorded without other headers, and explained from its file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'refusals-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const endpoint = await serve(host, { options: { onRejected: recordRefusals({ folder, now }) } })
    const request = delivery({
      body: Buffer.concat([transaction, Buffer.from('\n')]),
      signature: [sign(transaction)],
      headers: { 'Content-Type': 'application/json', Cookie: 'a=session', Authorization: 'Bearer token' },
    })
    await endpoint.refuses(request, 'ERR_SIGNATURE_MISMATCH')
    await expect.poll(() => filesIn(folder)).toHaveLength(1)
    await expect.poll(async () => (await filesIn(folder))[0]!.length).toBeGreaterThan(request.body.length)
    const [file] = await filesIn(folder)
    expect(file!.subarray(0, -request.body.length).toString().split('\r\n')).toEqual([
      'POST / HTTP/1.1',
      `Service-Signature: ${request.signature[0]!}`,
      'Refused: ERR_SIGNATURE_MISMATCH at 2025-03-27T15:41:20.000Z',
      '',
      '',
    ])
    const [{ body, header, receivedAt }] = readDeliveries(file!) as [ReturnType<typeof readDeliveries>[0]]
    const limits = { timeLimitMilliseconds: Infinity, bodyLimit: Infinity }
    const { code, hypotheses } = await explain(body, header, { secret, now: receivedAt!, ...limits })
    expect({ code, names: hypotheses.map(({ names }) => names) }).toEqual({
      code: 'ERR_SIGNATURE_MISMATCH',
      names: [['body-trailing-newline']],
    })
  })
}

async function filesIn(folder: string): Promise<readonly Buffer[]> {
  return Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name))))
}
