// The parts that time the verifier itself, in this process.
import { createVerifier, recognize as recognizeEvent } from '@service-signature/core'
import { before, checked, floorOf, ours, peers, recipe, v2Forgery } from '../contestants.js'
import { eventOf, eventsOf, SIZES, SMALL } from '../events.js'
import { atLeast, atMost, round } from '../report.js'
import { medians } from '../rounds.js'
import { forge, SECRET, unixTime, v3Header } from '../signing.js'

const MEBIBYTE = 1_048_576
const V2_SIZES = [2_000, 8_000, 64_000, MEBIBYTE]
const MOST_FORGED_MEBIBYTE_US = 60_000
const MOST_REFUSAL_US = 2

const CONTESTANTS = {
  'ours, signature': ours.signature,
  'ours, signature, async': ours.signatureAsync,
  'ours, standalone': ours.standalone,
  'ours, signature and parse': ours.signatureAndParse,
  'ours, full': ours.full,
  'ours, full, async': ours.fullAsync,
  'recipe, signature': recipe.signature,
  'recipe and parse': recipe.full,
  octokit: peers.octokit,
  stripe: peers.stripe,
  standardwebhooks: peers.standardwebhooks,
  svix: peers.svix,
  ...before,
}

/** v3, and the schemes of the peers, over the same bodies. */
export async function verify({ rounds, sizes = SIZES }) {
  const ratios = []
  const microseconds = []
  for (const event of [SMALL, ...eventsOf(sizes)]) {
    console.error(`verify: ${event.name}`)
    const contestants = { ...floorOf(event.body), ...(await checked(CONTESTANTS, event.body)) }
    const us = await medians(contestants, rounds)
    ratios.push(ratiosOf(event, us))
    const times = Object.entries(us).map(([name, time]) => [name, round(time)])
    microseconds.push({ event: event.name, ...Object.fromEntries(times) })
  }
  return [
    { title: 'verify, ratios', rows: ratios },
    { title: 'verify, microseconds', rows: microseconds },
  ]
}

/** The most time that checking only the signature may take, in multiples of the floor. */
const MOST_FLOORS = { 300: 1.2, 1_500: 1.1, 8_000: 1.15, 64_000: 1.2, 1_000_000: 1.2 }
/** The most time of a full verification, against stripe, which does not recognize events. */
const MOST_OF_STRIPE = { 1_500: 0.84, 8_000: 0.95, 64_000: 0.92, 1_000_000: 0.92 }
/** The additional time that a call without an existing verifier may take. */
const MOST_STANDALONE_US = 0.5

function ratiosOf(event, us) {
  const signature = us['ours, signature']
  const full = us['ours, full']
  const most = MOST_FLOORS[event.size]
  // Only a known event is recognized, and only a large enough one is compared.
  const bounded = event === SMALL ? round : atMost
  return {
    event: event.name,
    'signature / floor': atMost(signature / us.floor, most),
    'standalone / floor': atMost(us['ours, standalone'] / us.floor, most + MOST_STANDALONE_US / us.floor),
    ...(before && {
      'signature / before': round(signature / us['before, signature']),
      'full / before': round(full / us['before, full']),
    }),
    'signature / recipe': round(signature / us['recipe, signature']),
    'signature / octokit': round(signature / us.octokit),
    'signature and parse / stripe': round(us['ours, signature and parse'] / us.stripe),
    'full / stripe': bounded(full / us.stripe, MOST_OF_STRIPE[event.size]),
    'full / (floor + parse)': bounded(full / (us.floor + us.parse), 1.25),
    'full / recipe and parse': round(full / us['recipe and parse']),
    'full / standardwebhooks': atMost(full / us.standardwebhooks, 0.45),
    'full / svix': atMost(full / us.svix, 0.45),
  }
}

/** v2 against its recipe with JSON.parse and fast-json-stable-stringify. */
export async function v2({ rounds, sizes = V2_SIZES }) {
  const rows = []
  for (const { name, size, body } of eventsOf(sizes)) {
    console.error(`v2: ${name}`)
    const contestants = await checked({ ours: ours.v2, recipe: recipe.v2 }, body)
    const us = await medians({ ...contestants, forged: v2Forgery(body) }, rounds)
    rows.push({
      event: name,
      'ours us': round(us.ours),
      'recipe us': round(us.recipe),
      'times as fast':
        size === 8_000 ? round(us.recipe / us.ours) : atLeast(us.recipe / us.ours, size < 8_000 ? 2 : 2.3),
      'forged us': size === MEBIBYTE ? atMost(us.forged, MOST_FORGED_MEBIBYTE_US) : round(us.forged),
      'forged / recipe': atMost(us.forged / us.recipe, 2.5),
    })
  }
  return [{ title: 'v2', rows }]
}

/** The cost of a request that is refused, before its body is read and after. */
export async function refuse({ rounds }) {
  console.error('refuse')
  const verifier = createVerifier({ secret: SECRET })
  const { name, body } = eventOf('transaction', 1_500)
  const header = v3Header(body)
  const refused = (value) => () => {
    try {
      verifier.verifySignatureSync(body, value)
    } catch (error) {
      return error
    }
    throw new Error('The verifier accepted a request that it must refuse.')
  }
  const beforeTheBody = {
    'no header': refused(undefined),
    malformed: refused(`${header},t=1`),
    'wrong version': refused(header.replace('v3', 'v4')),
    stale: refused(v3Header(body, unixTime() - 3_600)),
    '16 elements': refused(`${header}${',v9=0'.repeat(13)},x`),
    '20,000 elements': refused(`${header}${',v9=0'.repeat(20_000)}`),
    '20,000 headers': refused(Array(20_000).fill(header)),
  }
  const verified = () => verifier.verifySignatureSync(body, header)
  const us = await medians({ verified, forged: refused(forge(header)), ...beforeTheBody }, rounds)
  const bound = Math.min(MOST_REFUSAL_US, us.verified / 2)
  const rows = [
    { request: `verified, ${name}`, us: round(us.verified) },
    { request: 'forged', us: round(us.forged) },
    ...Object.keys(beforeTheBody).map((request) => ({ request, us: atMost(us[request], bound) })),
  ]
  return [{ title: 'refuse', rows }]
}

/** The cost of recognizing a parsed event. */
export async function recognize({ rounds, sizes = SIZES }) {
  const rows = []
  for (const { name, shape, body } of eventsOf(sizes)) {
    console.error(`recognize: ${name}`)
    const { parse } = floorOf(body)
    const payload = parse()
    if (recognizeEvent(payload).shape !== shape) throw new Error(`${name} is not recognized.`)

    const us = await medians({ parse, recognize: () => recognizeEvent(payload) }, rounds)
    rows.push({
      event: name,
      'parse us': round(us.parse),
      'recognize us': round(us.recognize),
      'recognize / parse': atMost(us.recognize / us.parse, 0.15),
    })
  }
  return [{ title: 'recognize', rows }]
}
