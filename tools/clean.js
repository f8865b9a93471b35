// Removes what the build and the tests leave behind.
import { readdirSync, rmSync } from 'node:fs'

const root = new URL('../', import.meta.url)
const folders = readdirSync(new URL('packages/', root)).flatMap((name) => [
  `packages/${name}/dist/`,
  `packages/${name}/.tsbuild/`,
])
for (const folder of [...folders, 'coverage/'])
  rmSync(new URL(folder, root), { recursive: true, force: true })
