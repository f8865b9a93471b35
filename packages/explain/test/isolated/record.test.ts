import { WebhookError, type WebhookErrorCode } from '@service-signature/core'
import * as files from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { recordRefusals } from '../../src/record.js'

vi.mock('node:fs/promises', async (original) => {
  const actual = await original<typeof files>()
  return { ...actual, writeFile: vi.fn(actual.writeFile), readdir: vi.fn(actual.readdir) }
})

async function setUp() {
  const folder = await files.mkdtemp(join(tmpdir(), 'refusals-'))
  const warn = vi.spyOn(process, 'emitWarning').mockReturnValue()
  onTestFinished(async () => {
    warn.mockRestore()
    await files.rm(folder, { recursive: true })
  })
  const onRejected = recordRefusals({ folder })
  const refuse = (code: WebhookErrorCode) => onRejected(new WebhookError(code), { header: 't=1' })
  return { folder, warn, refuse }
}

it('removes the part of a file that a full disk leaves, and warns once', async () => {
  const { folder, warn, refuse } = await setUp()
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
  const { writeFile } = await vi.importActual<typeof files>('node:fs/promises')
  for (const code of ['ERR_SIGNATURE_MISMATCH', 'ERR_SIGNATURE_MISSING'] as const) {
    vi.mocked(files.writeFile).mockImplementationOnce(async (path) => {
      await writeFile(path, 'POST / HT')
      throw full
    })
    await refuse(code)
  }
  expect(await files.readdir(folder)).toEqual([])
  expect(warn).toHaveBeenCalledOnce()
  expect(warn.mock.lastCall![1]).toMatchObject({ detail: String(full) })
})

it('records, although another process removes a file at the same time', async () => {
  const { folder, warn, refuse } = await setUp()
  const gone = '2000-01-01T00-00-00.000Z_ERR_SIGNATURE_MISMATCH_00000000-0000-4000-8000-000000000000.http'
  vi.mocked(files.readdir).mockResolvedValueOnce([gone] as never)
  await refuse('ERR_SIGNATURE_MISMATCH')
  expect(await files.readdir(folder)).toHaveLength(1)
  expect(warn).not.toHaveBeenCalled()
})
