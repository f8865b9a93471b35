// An endpoint with one mistake: node weak-endpoints.js <mistake>
import { createServer, type RequestListener } from 'node:http'
import { endpointOf, v1Of, v3Of } from '../../packages/audit/test/support/recipe.js'
import { secret } from '../../packages/audit/test/support/truth.js'

const ENDPOINTS: Readonly<Record<string, RequestListener>> = {
  'no verification': (req, res) => {
    req.resume().on('end', () => res.writeHead(204).end())
  },
  'no time window': endpointOf({ isFresh: () => true }),
  'another version': endpointOf({
    vouches: ({ t, v1, v3 }, body) => v3 === v3Of(body, t!) || v1 === v1Of(body, t!, secret),
  }),
}

createServer(ENDPOINTS[process.argv[2]!]).listen(process.env['PORT'])
