import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { digestSteps } from '../src/digest-steps.js'
import { completeCase, type PlaygroundCase } from '../src/playground-case.js'

const hmac = (key: string, message: string) => createHmac('sha256', key).update(message).digest('hex')

const body = '{"b": 10.0,\n"a": "x y"}'
const t = '1743090080'
const keys = { secret: 'signing secret', apiKey: 'account key' }

async function stepsOf(
  given: PlaygroundCase,
  values: Readonly<Record<string, string>> = {},
  timestamp: string | undefined = t,
) {
  const steps = await digestSteps(completeCase(given), { timestamp, values: new Map(Object.entries(values)) })
  return Object.fromEntries(steps.map((each) => [each.version, each]))
}

describe('the steps of a digest', () => {
  it('of v3: the base64 of the body, then t', async () => {
    const base64 = 'eyJiIjogMTAuMCwKImEiOiAieCB5In0='
    const hex = hmac(keys.secret, base64 + t)
    const { v3 } = await stepsOf({ body, ...keys }, { v3: hex })
    expect(v3).toMatchObject({ isRequired: true, keyKind: 'secret', received: hex })
    expect(v3!.removed).toBeUndefined()
    expect(v3!.texts).toMatchObject([
      { text: base64, digests: [{ label: 'secret', hex, comparison: { matches: true } }] },
    ])
  })

  it('of v1: the body without spaces and line breaks, then t', async () => {
    const { v1 } = await stepsOf({ body, ...keys })
    const hex = hmac(keys.apiKey, `{"b":10.0,"a":"xy"}${t}`)
    expect(v1).toMatchObject({ isRequired: false, keyKind: 'apiKey' })
    expect(v1!.removed!.sentence).toBe('3 spaces and 1 line feed are removed (1 within strings).')
    expect(v1!.texts).toEqual([{ text: '{"b":10.0,"a":"xy"}', digests: [{ label: 'API key', hex }] }])
  })

  it('of v2: the canonical text in each of its forms, then t', async () => {
    const hex = hmac(keys.secret, `{"a":"xy","b":10}${t}`)
    const { v2 } = await stepsOf({ body, ...keys }, { v2: hex })
    expect(v2!.order).toBe('The keys of each object are sorted.')
    expect(v2!.texts.map(({ form, text }) => [form, text])).toEqual([
      ['source', '{"a":"xy","b":10.0}'],
      ['ecmascript', '{"a":"xy","b":10}'],
    ])
    const matches = v2!.texts.map(({ digests }) => digests[0]!.comparison!.matches)
    expect(matches).toEqual([false, true])
  })

  it.each([
    ['{"a":1, "b":2}', 'The keys of each object are in order already.'],
    [
      '{"b":1,"a":2,\t"b":3}',
      'The keys of each object are sorted. Of a repeated key, only the last is kept.',
    ],
    ['\ufeff{"a":1}', 'The keys of each object are in order already. The byte order mark is left out.'],
  ])('says what v2 does besides removing white space of %j', async (text, order) => {
    const { v2 } = await stepsOf({ body: text })
    expect(v2!.order).toBe(order)
  })

  it('says why v2 has no text', async () => {
    const { v2, v3 } = await stepsOf({ body: '{"a":', ...keys })
    expect(v2).toMatchObject({
      texts: [],
      problem: expect.stringMatching(/^The body is not .*: it ends too early\.$/) as string,
    })
    expect(v3!.texts).toHaveLength(1)
  })

  it('are computed under each key', async () => {
    const { v3 } = await stepsOf({ body: '', secret: ['one', 'two'] })
    expect(v3!.texts[0]!.digests).toEqual([
      { label: 'secret 1', hex: hmac('one', t) },
      { label: 'secret 2', hex: hmac('two', t) },
    ])
  })

  it('end with the text where there is no key or no t', async () => {
    const { v1 } = await stepsOf({ body, secret: 'key' })
    expect(v1!.texts[0]!.digests).toEqual([])
    const steps = await digestSteps(completeCase({ body, ...keys }), {
      timestamp: undefined,
      values: new Map(),
    })
    expect(steps.flatMap(({ texts }) => texts.flatMap(({ digests }) => digests))).toEqual([])
  })

  it('start with the versions that are required, the newest first', async () => {
    const order = async (...versions: readonly ('v1' | 'v2' | 'v3')[]) => {
      const steps = await digestSteps(completeCase({ versions }), { timestamp: t, values: new Map() })
      return steps.map(({ version }) => version)
    }
    expect(await order('v3')).toEqual(['v3', 'v2', 'v1'])
    expect(await order('v1', 'v2')).toEqual(['v2', 'v1', 'v3'])
  })
})
