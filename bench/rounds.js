import { measure } from 'mitata'

/**
 * How long a turn is. The defaults of mitata would repeat what is fast 50,000 times in each, and collect all garbage
 * before: after some collections V8 drops the code of whoever is not running.
 */
const TURN = { min_cpu_time: 20e6, batch_samples: 64, gc: false }
/** The first turn is for the compiler of V8, and does not count. */
const WARMUP = { min_cpu_time: 200e6 }

/**
 * The median time of each contestant, in microseconds. They take turns, so that a machine whose speed drifts slows
 * all of them alike; what counts is the ratio.
 *
 * @param {Record<string, () => unknown>} contestants
 * @param {number} rounds
 * @returns {Promise<Record<string, number>>}
 */
export async function medians(contestants, rounds) {
  for (const run of Object.values(contestants)) await measure(run, { ...TURN, ...WARMUP })
  const times = await inTurns(contestants, rounds, async (run) => (await measure(run, { ...TURN })).p50)
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, median(list) / 1000]))
}

/**
 * What each contestant's turns gave, round by round.
 *
 * @template Contestant, Result
 * @param {Record<string, Contestant>} contestants
 * @param {number} rounds
 * @param {(contestant: Contestant, name: string, round: number) => Result | Promise<Result>} take
 * @returns {Promise<Record<string, Result[]>>}
 */
export async function inTurns(contestants, rounds, take) {
  /** @type {Record<string, Result[]>} */
  const results = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, contestant] of Object.entries(contestants)) {
      results[name].push(await take(contestant, name, round))
    }
  }
  return results
}

/** @param {number[]} list */
export function median(list) {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]
}
