import { checked } from '../contestants/check.js'
import { ours } from '../contestants/ours.js'
import { recipe } from '../contestants/recipe.js'
import { eventsOf } from '../events.js'
import { progress } from '../progress.js'
import { atLeast, round } from '../report/bounds.js'
import { medians } from '../rounds.js'

const SIZES = [2_000, 8_000, 64_000, 1_000_000]

/** v2, against the recipe of S6.4 with JSON.parse and fast-json-stable-stringify. */
export async function v2({ rounds, sizes = SIZES }) {
  const rows = []
  for (const { name, size, body } of eventsOf(sizes)) {
    progress('v2', name)
    const us = await medians(await checked({ ours: ours.v2, recipe: recipe.v2 }, body), rounds)
    rows.push({
      event: name,
      'ours us': round(us.ours),
      'recipe us': round(us.recipe),
      'times as fast': atLeast(us.recipe / us.ours, size < 8_000 ? 1.5 : 1.7),
    })
  }
  return [{ title: 'v2', rows }]
}
