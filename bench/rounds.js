import { measure } from 'mitata'

/**
 * How long a turn is. The defaults of mitata would repeat fast code 50,000 times in each turn and collect all garbage
 * before it: after some collections V8 drops the compiled code of the contestants that are waiting.
 */
const TURN = { min_cpu_time: 20e6, batch_samples: 64, gc: false }
/** The first turn is for V8's compiler, and does not count. */
const WARMUP = { min_cpu_time: 200e6 }

/**
 * The median time of each contestant, in microseconds. They take turns, so that a machine whose speed drifts slows all
 * of them alike and their ratios stay the same.
 */
export async function medians(contestants, rounds) {
  for (const run of Object.values(contestants)) await measure(run, { ...TURN, ...WARMUP })
  const times = await inTurns(contestants, rounds, async (run) => (await measure(run, { ...TURN })).p50)
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, median(list) / 1000]))
}

/** For each contestant, the results of `take(contestant, name, round)`, one of every round. */
export async function inTurns(contestants, rounds, take) {
  const results = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, contestant] of Object.entries(contestants)) {
      results[name].push(await take(contestant, name, round))
    }
  }
  return results
}

export function median(list) {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]
}
