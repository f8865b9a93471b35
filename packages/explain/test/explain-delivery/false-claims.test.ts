import { describe, expect, it } from 'vitest'
import { buildCounting } from '../support/counting.js'
import {
  accented,
  accentedHeader,
  apiKey,
  canonicalEvent,
  event,
  header,
  now,
  secret,
  signed,
  t,
  v1,
  v2,
  v3,
} from '../support/genuine.js'
import { expectFound, explained } from '../support/mistake.js'

const forged = header.replace(/[0-9a-f]{64}/g, (hex) => hex.slice(32) + hex.slice(0, 32))
const compactPython = JSON.stringify(JSON.parse(event))

describe('a cause that is ruled out did not happen', () => {
  it.each([
    [
      'a body that was printed again, with a key that is wrong too',
      'body-reserialized',
      { body: compactPython, options: { secret: 'another key' } },
    ],
    ['a body that was printed again, and cut', 'body-reserialized', { body: compactPython.slice(0, -1) }],
    [
      'a key that was URL-decoded, with another body',
      'key-percent-encoded',
      { body: 'other', options: { secret: decodeURIComponent('a%2Bb') } },
    ],
    [
      'letters of another charset as "?"',
      'body-charset',
      { body: accented.replace('\u00eb', '?l'), header: accentedHeader },
    ],
    [
      'letters that were dropped',
      'body-charset',
      { body: accented.replace(/[^ -~]/g, ''), header: accentedHeader },
    ],
    [
      'quotes around a key within base64',
      'key-quoted',
      { body: event, options: { secret: Buffer.from(`"${secret}" `).toString('base64') } },
    ],
    [
      'a byte order mark within base64',
      'body-byte-order-mark',
      { body: Buffer.from(`\ufeff${event} `).toString('base64') },
    ],
    [
      'white space that was trimmed',
      'body-trailing-newline',
      { body: event, header: signed(`\t${event}\t`, canonicalEvent) },
    ],
  ] as const)('%s', async (_, name, arrival) => {
    const { report } = await explained(arrival)
    expect(report.ruledOut).not.toContain(name)
  })

  it('is what would show, and what a digest proves right', async () => {
    const { report } = await explained({ body: event, header: forged })
    expect(report.ruledOut).toEqual(
      expect.arrayContaining([
        'key-quoted',
        'key-white-space',
        'header-quoted',
        'body-chunked',
        'body-unicode-form',
      ]),
    )
    const found = await explained({ body: event, options: { secret: `${secret}\n` } })
    expect(found.report.ruledOut).toEqual(expect.arrayContaining(['body-reserialized', 'replay']))
    expect(found.report.notTried).toEqual(['other-api-key'])
    const partly = await explained({
      body: event,
      header: `t=${t},v1=${v1(event)},v3=${v3('other')}`,
      options: { secret, apiKey: ` ${apiKey}`, versions: ['v1', 'v3'] },
    })
    expect(partly.report.notTried).toEqual(expect.arrayContaining(['other-secret', 'body-not-verbatim']))
  })

  it('is not another cause of a wrong time', async () => {
    const { report } = await explained({ body: `${event}\n`, options: { secret, now: now + 86_400_000 } })
    expect(report.hypotheses.map(({ names }) => names)).toEqual([['body-trailing-newline'], ['replay']])
    expect(report.ruledOut).not.toContain('clock-skew')
  })
})

describe('the report says when the search ended before everything was tried', () => {
  const many = Array.from({ length: 20 }, (_, index) => `"key_${index} "`)

  it('because of the number of HMACs', async () => {
    const { explain } = buildCounting()
    const report = await explain('{"a":1.0,"b":"\u00e9"}', forged, {
      secret: many,
      apiKey: many,
      versions: ['v1', 'v2', 'v3'],
      now,
    })
    expect(report.limitReached).toBe(
      'The search ended after 200 HMACs, so some combinations of faults were not tried.',
    )
  })

  it('and not if everything was tried', async () => {
    const { explain } = buildCounting()
    expect(await explain('[]', forged.replace(/,v[12]=[^,]*/g, ''), { secret, now })).not.toHaveProperty(
      'limitReached',
    )
  })
})

describe('a conclusion claims no more than it follows from', () => {
  it('v1 says nothing about white space', async () => {
    const { report } = await explained({
      body: `${event}\n`,
      options: { secret: 'wh_of_another_organization', apiKey },
    })
    expect(report.hypotheses[0]).toMatchObject({
      names: ['other-secret'],
      happened:
        'v1 matches, so "t" is right and the body too, except perhaps for spaces and line breaks, and the secret is not the one that made v2',
    })
  })

  it('a digest under the name of another version says nothing about the body', async () => {
    const value = `t=${t},v1=${v3(event)},v2=${v2(canonicalEvent)},v3=${v1(event)}`
    await expectFound({ body: event, header: value }, 'header-digests-swapped')
    const { explain } = buildCounting(
      (() => {
        let reads = 0
        return () => reads++
      })(),
    )
    const cut = await explain(event, value, { secret, now, timeLimitMilliseconds: 4 })
    expect(cut.hypotheses).toEqual([])
  })

  it('an API key that is the secret is called that', async () => {
    await expectFound(
      { body: event, options: { secret, apiKey: secret, versions: ['v1', 'v3'] } },
      'keys-swapped',
    )
  })

  it('white space at the ends is as it arrived', async () => {
    const sent = `${JSON.stringify(JSON.parse(event), null, 2)}\n`
    const body = sent.replace(/^ +/gm, (spaces) => '\t'.repeat(spaces.length / 2))
    const report = await expectFound({ body, header: `t=${t},v3=${v3(sent)}` }, 'body-reindented')
    expect(report.finding).not.toContain('at its ends')
    const without = await expectFound({ body, header: `t=${t},v3=${v3(sent.trim())}` }, 'body-reindented')
    expect(without.finding).toContain('and with white space at its ends that was not signed')
  })
})

describe('two faults that leave traces are found together', () => {
  it.each([
    ['all versions', header],
    ['v3 alone', header.replace(/,v[12]=[^,]*/g, '')],
  ])('a secret with a line break and JSON.stringify(req.body), with %s', async (_, value) => {
    const arrival = { body: compactPython, header: value, options: { secret: `${secret}\n` } }
    await expectFound(arrival, 'key-white-space', 'body-reserialized')
  })
})
