import { endpointOf, SOUND, v3Of } from '../recipe.js'
import type { WeakEndpoint } from './weak-endpoint.js'

/** Endpoints that check the time wrongly, or not at all. */
export const time: readonly WeakEndpoint[] = [
  {
    what: 'does not check the time',
    listener: endpointOf({ isFresh: () => true }),
    found: { accepts: ['stale by an hour', 'time 0', 'four minutes ahead', 'ten years ahead'] },
  },
  {
    what: 'checks only the past',
    listener: endpointOf({ isFresh: (t, now) => now - Number(t) <= 300 }),
    found: { accepts: ['four minutes ahead', 'ten years ahead'] },
  },
  {
    what: 'allows a time in the future as far as in the past',
    listener: endpointOf({ isFresh: (t, now) => Math.abs(now - Number(t)) <= 300 }),
    found: { accepts: ['four minutes ahead'] },
  },
  {
    what: 'treats a time of 0 as missing',
    listener: endpointOf({ isFresh: (t, now) => Number(t) === 0 || SOUND.isFresh(t, now) }),
    found: { accepts: ['time 0'] },
  },
  {
    what: 'allows no age, and no clock that is ahead',
    listener: endpointOf({ isFresh: (t, now) => now - Number(t) < 60 && Number(t) <= now }),
    found: { loses: ['two minutes old', 'clock 30 s ahead'] },
  },
  {
    what: 'reads the time with parseInt',
    listener: endpointOf({
      isFresh: (t, now) => SOUND.isFresh(String(parseInt(t)), now),
      vouches: ({ t, v3 }, body) => v3 === v3Of(body, String(parseInt(t!))),
    }),
    found: { accepts: ['tampered time', 'time with letters'] },
  },
  {
    what: 'finds out by trying when it was signed',
    listener: endpointOf({
      // Only the ages that deliveries have: to try every second of an hour takes seconds.
      vouches: ({ t, v3 }, body) =>
        [0, 1, 2, 3598, 3599, 3600].some((age) => v3 === v3Of(body, String(Number(t) - age))),
    }),
    found: { accepts: ['tampered time', 'stale, with a new time'] },
  },
]
