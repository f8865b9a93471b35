import type { ExplainOptions } from '../../src/index.js'
import * as node from '../../src/index.js'
import * as web from '../../src/index.web.js'

/** Both entries of explain, by their digest. What holds of one holds of the other. */
export const entries: readonly ({ digest: string } & typeof web)[] = [
  { digest: 'node:crypto', ...node, explain: unlimited(node.explain) },
  { digest: 'Web Crypto', ...web, explain: unlimited(web.explain) },
]

/** What a test expects to be found must not depend on how fast the machine is. */
function unlimited(explain: typeof node.explain): typeof node.explain {
  const limits = { timeLimitMilliseconds: Infinity, bodyLimit: Infinity }
  return (body, header, options: unknown) => {
    const isObject = typeof options === 'object' && options !== null
    return explain(body, header, (isObject ? { ...limits, ...options } : options) as ExplainOptions)
  }
}
