import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Writes a file for the test that runs, and gives its path. */
export function file(content: string | Uint8Array, name = 'file'): string {
  const folder = mkdtempSync(join(tmpdir(), 'service-signature-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true })
  })
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}
