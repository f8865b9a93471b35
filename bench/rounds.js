import { measure } from 'mitata'

const ROUNDS = 15

/**
 * The median time of each contestant, in microseconds. They take turns, so that a machine whose speed drifts slows
 * all of them alike; what counts is the ratio.
 *
 * @param {Record<string, () => unknown>} contestants
 * @returns {Promise<Record<string, number>>}
 */
export async function medians(contestants) {
  /** @type {Record<string, number[]>} */
  const times = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, run] of Object.entries(contestants)) {
      const { p50 } = await measure(run, { min_cpu_time: 20e6, warmup_samples: round === 0 ? 200 : 2 })
      times[name].push(p50 / 1000)
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, median(list)]))
}

/** @param {number[]} list */
function median(list) {
  return list.sort((a, b) => a - b)[Math.floor(list.length / 2)]
}

/**
 * To three digits: there is no more in a measurement.
 *
 * @param {number} value
 */
export function round(value) {
  return Number(value.toPrecision(3))
}
