import * as node from '../../../src/explain.js'
import * as web from '../../../src/explain.web.js'

/** Both entries of explain, by their digest. What holds of one holds of the other. */
export const entries: readonly ({ digest: string } & typeof web)[] = [
  { digest: 'node:crypto', ...node },
  { digest: 'Web Crypto', ...web },
]
