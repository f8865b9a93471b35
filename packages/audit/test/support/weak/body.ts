import { endpointOf, readUpTo, SOUND, v3Of } from '../recipe.js'
import type { WeakEndpoint } from './weak-endpoint.js'

/** Endpoints that do not verify the bytes of the body, or read it wrongly. */
export const body: readonly WeakEndpoint[] = [
  {
    what: 'verifies the body as JSON.stringify prints it again',
    listener: endpointOf({
      vouches: ({ t, v3 }, body) => v3 === v3Of(JSON.stringify(JSON.parse(String(body))), t!),
    }),
    found: {
      accepts: ['tampered white space', 'tampered encoding'],
      loses: [
        'escaped letters',
        'number 10.0',
        'number over 2^53',
        'keys in odd order',
        'pretty-printed body',
        'line break at the end',
      ],
      fails: [
        'forged and packed',
        'byte order mark',
        'body not in JSON',
        'nested 20,000 deep',
        'packed body',
      ],
    },
  },
  {
    what: 'squeezes spaces before it verifies the body',
    listener: endpointOf({ vouches: ({ t, v3 }, body) => v3 === v3Of(String(body).replace(/ +/g, ' '), t!) }),
    found: { accepts: ['tampered encoding'], loses: ['spaces inside strings', 'pretty-printed body'] },
  },
  {
    what: 'decodes the body before it verifies it',
    listener: endpointOf({ vouches: ({ t, v3 }, body) => v3 === v3Of(new TextDecoder().decode(body), t!) }),
    found: { accepts: ['tampered encoding'] },
  },
  {
    what: 'reads the body as Latin-1',
    listener: endpointOf({ vouches: ({ t, v3 }, body) => v3 === v3Of(body.toString('latin1'), t!) }),
    found: { loses: ['letters beyond ASCII', 'body in slow pieces'] },
  },
  {
    what: 'takes the first piece of the body for all of it',
    listener: endpointOf({
      read: (req) =>
        new Promise((resolve) =>
          req.once('data', resolve).once('end', () => {
            resolve(Buffer.of())
          }),
        ),
    }),
    found: { accepts: ['cut short'], loses: ['body of 500 KB', 'chunked body', 'body in slow pieces'] },
  },
  {
    what: 'has a limit of 100 KB',
    listener: endpointOf({ read: (req) => readUpTo(100_000, req) }),
    found: { loses: ['body of 500 KB'] },
  },
  {
    what: 'reads bodies of any declared length',
    listener: endpointOf({ read: (req) => readUpTo(Infinity, req) }),
    found: { fails: ['forged 64 MB'] },
  },
  {
    what: 'requires a content type and a length',
    listener: endpointOf({
      admits: (req) =>
        SOUND.admits(req) &&
        req.headers['content-type'] === 'application/json' &&
        req.headers['content-length'] !== undefined,
    }),
    found: { loses: ['chunked body', 'other content type'] },
  },
]
