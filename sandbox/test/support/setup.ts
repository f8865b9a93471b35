import { afterAll, beforeEach } from 'vitest'
import { closeUnused } from './service.js'

// Vitest runs this for each file, while the modules of the support folder are loaded once for all files.
afterAll(closeUnused)

beforeEach(({ task }) => {
  if (!task.file.filepath.includes('/test/specification/')) return
  if (task.meta.holds !== undefined || task.name.startsWith('our choice: ')) return
  throw new Error(
    'Name the statement of docs/specification.md that this test holds, or begin with "our choice: "',
  )
})
