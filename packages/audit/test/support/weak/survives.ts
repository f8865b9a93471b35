import type { RequestListener, ServerResponse } from 'node:http'
import { endpointOf, Refusal } from '../recipe.js'
import type { WeakEndpoint } from './weak-endpoint.js'

/** Whose events the endpoints below expect. */
export const OWNER = { account: 'acc_berlin', live: true } as const

const isOurs = (text: string) => /"account":(?:\{"id":)?"acc_berlin"/.test(text)
const isLive = (text: string) => !text.includes('"is_live":false')
const intentOf = (text: string) => /"int_\w+"/.exec(text)![0]
const isPurchase = (text: string) => text.includes('"transaction.purchase.successful"')

/** What an endpoint does with the events that are for it. */
type Handle = (text: string, res: ServerResponse) => void

interface Mistake {
  /** Gets all bodies that verify. */
  readonly onBody?: (text: string) => void
  readonly checks?: (text: string) => boolean
  readonly handle?: Handle
}

/** An endpoint that expects one account in live mode, and handles each delivery once. */
export function survivor({
  checks = (text) => isOurs(text) && isLive(text),
  handle = once204(),
  onBody,
}: Mistake = {}): RequestListener {
  return endpointOf({
    handle(body, res) {
      const text = String(body)
      onBody?.(text)
      if (!checks(text)) throw new Refusal(403, 'not ours')
      handle(text, res)
    },
  })
}

/** Answers 204 to what is new, and 200 to duplicates. */
function once204(known = new Set<string>()): Handle {
  return (text, res) => {
    res.writeHead(known.has(text) ? 200 : 204).end()
    known.add(text)
  }
}

/** Endpoints that each make one mistake. `now`: the clock of the endpoint, in milliseconds. */
export function unprepared(now: () => number): readonly WeakEndpoint[] {
  return [
    {
      what: 'does not check the account',
      listener: survivor({ checks: isLive }),
      found: { accepts: ['other account, purchase', 'other account, intent'] },
    },
    {
      what: 'does not check the mode',
      listener: survivor({ checks: isOurs }),
      found: { accepts: ['other mode, intent'] },
    },
    {
      what: 'updates payments that only their first event adds',
      listener: survivor({ handle: firstAdds() }),
      found: { loses: ['out of order'] },
    },
    {
      what: 'looks for a duplicate, and stores the delivery later, where a unique index refuses the second one',
      listener: survivor({ handle: looksFirst((res) => res.writeHead(500).end()) }),
      found: { loses: ['copies at once'] },
    },
    {
      what: 'looks for a duplicate, and stores the delivery later, where nothing refuses the second one',
      listener: survivor({ handle: looksFirst((res) => res.writeHead(204).end()) }),
      found: { accepts: ['copies at once'] },
    },
    {
      what: 'refuses as being handled what it has handled',
      listener: survivor({ handle: refusesDuplicates() }),
      found: { loses: ['answer lost'] },
    },
    {
      what: 'keeps what a delivery has claimed whose sender hangs up',
      listener: survivor({ handle: neverReleases() }),
      found: { loses: ['answer lost'] },
    },
    {
      what: 'gives up a payment after 3 s',
      listener: survivor({ handle: givesUp(now) }),
      found: { loses: ['slow provider'] },
    },
    {
      what: 'is in front of a limit of requests',
      listener: limited(900),
      found: { loses: ['burst of 1,000'] },
    },
  ]
}

function firstAdds(): Handle {
  const payments = new Set<string>()
  const answer = once204()
  return (text, res) => {
    if (isPurchase(text)) payments.add(intentOf(text))
    else if (isOfPair(text) && !payments.has(intentOf(text))) {
      res.writeHead(404).end()
      return
    }
    answer(text, res)
  }
}

/** Whether a purchase of the same payment is sent, too. */
function isOfPair(text: string): boolean {
  return /audit-(?:late|slow)-/.test(text)
}

/** All copies, and the other delivery of that case, look before the first of them is stored. */
function looksFirst(answerSecond: (res: ServerResponse) => unknown): Handle {
  const looked: { readonly text: string; readonly res: ServerResponse }[] = []
  const answer = once204()
  return (text, res) => {
    if (!text.includes('audit-copies-')) {
      answer(text, res)
      return
    }
    looked.push({ text, res })
    if (looked.length < 11) return
    for (const [index, each] of looked.entries()) {
      const stored = looked.slice(0, index).filter((other) => other.text === each.text).length
      if (stored === 1) answerSecond(each.res)
      else answer(each.text, each.res)
    }
  }
}

function refusesDuplicates(): Handle {
  const known = new Set<string>()
  return (text, res) => {
    res.writeHead(known.has(text) ? 409 : 204).end()
    known.add(text)
  }
}

/** It is still at work when the sender hangs up. */
function neverReleases(): Handle {
  const claimed = new Set<string>()
  const answer = once204()
  return (text, res) => {
    if (!text.includes('audit-lost-')) answer(text, res)
    else if (claimed.has(text)) res.writeHead(409).end()
    claimed.add(text)
  }
}

function givesUp(now: () => number): Handle {
  const begun = new Map<string, number>()
  const answer = once204()
  return (text, res) => {
    const since = begun.get(intentOf(text)) ?? now()
    begun.set(intentOf(text), since)
    if (!isPurchase(text) && now() - since > 3000) res.writeHead(410).end()
    else answer(text, res)
  }
}

function limited(most: number): RequestListener {
  const right = survivor()
  let count = 0
  return (req, res) => {
    if (++count <= most) right(req, res)
    else {
      req.resume()
      res.writeHead(429).end()
    }
  }
}
