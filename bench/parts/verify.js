import { checked } from '../contestants/check.js'
import { floorOf } from '../contestants/floor.js'
import { ours } from '../contestants/ours.js'
import { peers } from '../contestants/peers.js'
import { recipe } from '../contestants/recipe.js'
import { eventsOf, SIZES, SMALL } from '../events.js'
import { progress } from '../progress.js'
import { atMost, round } from '../report/bounds.js'
import { medians } from '../rounds.js'

const CONTESTANTS = {
  'ours, signature': ours.signature,
  'ours, signature, async': ours.signatureAsync,
  'ours, signature and parse': ours.signatureAndParse,
  'ours, full': ours.full,
  'ours, full, async': ours.fullAsync,
  'recipe, signature': recipe.signature,
  'recipe and parse': recipe.full,
  octokit: peers.octokit,
  stripe: peers.stripe,
  standardwebhooks: peers.standardwebhooks,
  svix: peers.svix,
}

/** v3, ours and everybody else's, over the same bodies. */
export async function verify({ rounds, sizes = SIZES }) {
  const times = []
  for (const event of [SMALL, ...eventsOf(sizes)]) {
    progress('verify', event.name)
    const contestants = { ...floorOf(event.body), ...(await checked(CONTESTANTS, event.body)) }
    times.push({ event, us: await medians(contestants, rounds) })
  }
  return [
    { title: 'verify, ratios', rows: times.map(ratiosOf) },
    { title: 'verify, microseconds', rows: times.map(microsecondsOf) },
  ]
}

function ratiosOf({ event, us }) {
  const full = us['ours, full']
  const againstStripe = us['ours, signature and parse'] / us.stripe
  const againstParse = full / (us.floor + us.parse)
  return {
    event: event.name,
    'signature / floor': atMost(us['ours, signature'] / us.floor, 1.15 + 2 / us.floor),
    'signature / recipe': round(us['ours, signature'] / us['recipe, signature']),
    'signature / octokit': round(us['ours, signature'] / us.octokit),
    'signature and parse / stripe': event.size < 1_500 ? round(againstStripe) : atMost(againstStripe, 1),
    'full / (floor + parse)': event === SMALL ? round(againstParse) : atMost(againstParse, 1.5),
    'full / recipe and parse': round(full / us['recipe and parse']),
    'full / standardwebhooks': atMost(full / us.standardwebhooks, 0.7),
    'full / svix': atMost(full / us.svix, 0.7),
  }
}

function microsecondsOf({ event, us }) {
  const times = Object.entries(us).map(([name, time]) => [name, round(time)])
  return { event: event.name, ...Object.fromEntries(times) }
}
