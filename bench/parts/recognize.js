// Not part of the public face: what is measured is this step alone.
import { recognize as recognizeEvent } from '../../packages/core/dist/esm/events/event.js'
import { floorOf } from '../contestants/floor.js'
import { eventsOf, SIZES } from '../events.js'
import { progress } from '../progress.js'
import { atMost, round } from '../report/bounds.js'
import { medians } from '../rounds.js'

/** What it costs to tell an event's shape, once it is parsed. */
export async function recognize({ rounds, sizes = SIZES }) {
  const rows = []
  for (const { name, shape, body } of eventsOf(sizes)) {
    progress('recognize', name)
    const { parse } = floorOf(body)
    const payload = parse()
    if (recognizeEvent(payload).shape !== shape) throw new Error(`this is no ${shape} event`)

    const us = await medians({ parse, recognize: () => recognizeEvent(payload) }, rounds)
    rows.push({
      event: name,
      'parse us': round(us.parse),
      'recognize us': round(us.recognize),
      'recognize / parse': atMost(us.recognize / us.parse, 0.5),
    })
  }
  return [{ title: 'recognize', rows }]
}
