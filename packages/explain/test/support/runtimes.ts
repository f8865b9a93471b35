import type { ExplainOptions } from '../../src/index.js'
import * as node from '../../src/index.js'
import * as web from '../../src/index.web.js'

/** Both entries of explain, by their digest. They must behave alike. */
export const entries: readonly ({ digest: string } & typeof web)[] = [
  { digest: 'node:crypto', ...node, explain: unlimited(node.explain) },
  { digest: 'Web Crypto', ...web, explain: unlimited(web.explain) },
]

/** The findings that a test expects must not depend on the speed of the machine. */
function unlimited(explain: typeof node.explain): typeof node.explain {
  const limits = { timeLimitMilliseconds: Infinity, bodyLimit: Infinity }
  return (body, header, options: unknown) => {
    const isObject = typeof options === 'object' && options !== null
    return explain(body, header, (isObject ? { ...limits, ...options } : options) as ExplainOptions)
  }
}
