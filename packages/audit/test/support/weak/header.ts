import { endpointOf, Refusal, SOUND } from '../recipe.js'
import type { WeakEndpoint } from './weak-endpoint.js'

/** Endpoints that read the header wrongly. */
export const header: readonly WeakEndpoint[] = [
  {
    what: 'takes the last of two elements',
    listener: endpointOf({ parse: (header) => Object.fromEntries(pairsOf(header)) }),
    found: { accepts: ['element twice', 'header sent twice'] },
  },
  {
    what: 'takes the first of two elements',
    listener: endpointOf({ parse: (header) => Object.fromEntries(pairsOf(header).reverse()) }),
    found: { accepts: ['element twice', 'header sent twice'] },
  },
  {
    what: 'finds the elements by their position',
    listener: endpointOf({
      parse(header) {
        const [t = '', , , v3 = ''] = pairsOf(header).map(([, value]) => value)
        return header.split(',').length === 4 ? { t, v3 } : undefined
      },
    }),
    found: { loses: ['elements reordered', 'unknown element v4'] },
  },
  {
    what: 'looks the header up in capitals',
    listener: endpointOf({
      admits(req) {
        if (!req.rawHeaders.includes('Service-Signature')) throw new Refusal(401, 'no signature')
        return SOUND.admits(req)
      },
    }),
    found: { loses: ['header in lower case'] },
  },
  {
    what: 'fails at a long header',
    listener: endpointOf({
      parse(header) {
        if (header.length > 8192) throw new RangeError('too long')
        return SOUND.parse(header)
      },
    }),
    found: { fails: ['header of 14 KB'] },
  },
  {
    what: 'accepts a request without a signature as a test',
    listener: endpointOf({
      admits(req) {
        if (req.headers['service-signature'] === undefined) throw new Refusal(200, 'hello')
        return SOUND.admits(req)
      },
    }),
    found: { accepts: ['no signature', 'no signature, by PUT'] },
  },
  {
    what: 'guards POST only',
    listener: endpointOf({
      admits({ method }) {
        if (method !== 'POST') throw new Refusal(200, 'hello')
        return true
      },
    }),
    found: { accepts: ['no signature, by PUT'] },
  },
]

function pairsOf(header: string): [string, string][] {
  return header.split(',').map((element) => {
    const [name = '', value = ''] = element.trim().split('=')
    return [name, value]
  })
}
