import { endpointOf, v1Of, v2Of, v3Of } from '../recipe.js'
import type { WeakEndpoint } from './weak-endpoint.js'

/** Endpoints that compare the digest wrongly, or compare another one. */
export const digest: readonly WeakEndpoint[] = [
  {
    what: 'compares as many digits as were sent',
    listener: endpointOf({ vouches: ({ t, v3 = '' }, body) => v3Of(body, t!).startsWith(v3) }),
    found: {
      accepts: ['time without digests', 'downgrade to v1', 'downgrade to v2', 'digest of other length'],
    },
  },
  {
    what: 'compares the beginning, as long as a digest is',
    listener: endpointOf({ vouches: ({ t, v3 = '' }, body) => v3.startsWith(v3Of(body, t!)) }),
    found: { accepts: ['digest of other length'] },
  },
  {
    what: 'compares all but the last digit',
    listener: endpointOf({
      vouches: ({ t, v3 = '' }, body) => v3.slice(0, 63) === v3Of(body, t!).slice(0, 63),
    }),
    found: { accepts: ['tampered digest', 'digest of other length'] },
  },
  {
    what: 'compares all but the first digit',
    listener: endpointOf({ vouches: ({ t, v3 = '' }, body) => v3.slice(1) === v3Of(body, t!).slice(1) }),
    found: { accepts: ['tampered digest'] },
  },
  {
    what: 'compares hex in any case',
    listener: endpointOf({ vouches: ({ t, v3 = '' }, body) => v3.toLowerCase() === v3Of(body, t!) }),
    found: { accepts: ['digest in capitals'] },
  },
  {
    what: 'accepts v1 if v3 is wrong',
    listener: endpointOf({
      vouches: ({ t, v3, v1 }, body) => v3 === v3Of(body, t!) || v1 === v1Of(body, t!),
    }),
    found: {
      accepts: [
        'tampered digest',
        'tampered white space',
        'tampered encoding',
        'downgrade to v1',
        'downgrade, wrong digest',
        'digest of v2 as v3',
        'digest in capitals',
        'digest of other length',
      ],
    },
  },
  {
    what: 'accepts v2 if v3 is missing, and either of the two as v3',
    listener: endpointOf({
      vouches: ({ t, v2, v3 = v2 }, body) => v3 === v3Of(body, t!) || v3 === v2Of(body, t!),
    }),
    found: {
      accepts: ['downgrade to v2', 'digest of v2 as v3'],
      fails: ['tampered encoding', 'forged and packed', 'packed body'],
    },
  },
]
