import { describe, expect, it } from 'vitest'
import { ChangeJoiner, type ChangeMessage } from '../server/settings/stream.js'
import { manualClock } from '../server/index.js'

function joiner() {
  const clock = manualClock()
  const sent: (readonly ChangeMessage[])[] = []
  return { clock, sent, joiner: new ChangeJoiner(clock.after, (messages) => sent.push(messages)) }
}

describe('ChangeJoiner', () => {
  it('passes on a change at once', () => {
    const { joiner: changes, clock, sent } = joiner()
    changes.add({ kind: 'delivery', id: 'a' })
    clock.advance(100)
    changes.add({ kind: 'faults' })
    expect(sent).toEqual([[{ kind: 'delivery', id: 'a' }], [{ kind: 'faults' }]])
  })

  it('joins those that follow within 100 ms, one message for each kind', () => {
    const { joiner: changes, clock, sent } = joiner()
    for (let second = 0; second < 10; second++) {
      for (const id of ['a', 'b', 'c', 'b']) changes.add({ kind: 'delivery', id })
      changes.add({ kind: 'intent', id: 'i' })
      clock.advance(100)
    }
    expect(sent).toHaveLength(11)
    expect(sent[0]).toEqual([{ kind: 'delivery', id: 'a' }])
    expect(sent[1]).toEqual([
      { kind: 'delivery', ids: ['b', 'c'] },
      { kind: 'intent', id: 'i' },
    ])
    expect(sent[10]).toEqual([
      { kind: 'delivery', ids: ['a', 'b', 'c'] },
      { kind: 'intent', id: 'i' },
    ])
  })

  it('sends nothing after its end', () => {
    const { joiner: changes, clock, sent } = joiner()
    changes.end()
    changes.add({ kind: 'faults' })
    changes.add({ kind: 'reset' })
    changes.end()
    clock.advance(1000)
    expect(sent).toEqual([[{ kind: 'faults' }]])
  })
})
