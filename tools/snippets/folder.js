import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './snippets.js'

/** A new folder, in which programs find the packages of the repository as they are built. Its maker removes it. */
export function makeFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'service-signature-snippets-'))
  symlinkSync(fileURLToPath(new URL('node_modules', root)), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  return folder
}
