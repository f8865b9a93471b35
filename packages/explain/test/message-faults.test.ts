import { describe, expect, it } from 'vitest'
import type { HypothesisName } from '../src/index.js'
import { apiKey, canonicalEvent, event, hmac, secret, t, v2, v3 } from './support/genuine.js'
import { explained, itFinds, type Mistake } from './support/mistake.js'

/** Every name in this list has a test. */
type MessageHypothesis = Extract<HypothesisName, `message-${string}`>

const base64 = Buffer.from(event).toString('base64')
/** Its base64 has padding, and both of the digits that base64url replaces. */
const odd = Buffer.from('fbff7e3f22ff', 'hex')
const unpadded = Buffer.concat([odd, odd, Buffer.from([0xfb])])

function v3Of(message: string | Uint8Array): string {
  return `t=${t},v3=${hmac(secret, message)}`
}

const v1Options = { apiKey }
const v2Options = { secret, versions: ['v2'] } as const

/** A sender that computes the text that v1 signs in its own way. */
function v1Of(message: string): string {
  return `t=${t},v1=${hmac(apiKey, message + t)}`
}

function v2Of(message: string): string {
  return `t=${t},v2=${hmac(secret, message + t)}`
}

const spaced = '{"b": "x y",\t"a": [1, 2]}'
const tabbed = '{\n\t"b": "x\u00a0y",\n\t"a": 1\n}'

const mistakes: Readonly<Record<MessageHypothesis, readonly Mistake[]>> = {
  'message-encoding': [
    ['the body without base64', () => ({ body: event, header: v3Of(event + t) })],
    ['hex in its place', () => ({ body: event, header: v3Of(Buffer.from(event).toString('hex') + t) })],
    ['base64url', () => ({ body: odd, header: v3Of(Buffer.from(odd).toString('base64url') + t) })],
    [
      'base64url with padding',
      () => ({ body: unpadded, header: v3Of(`${unpadded.toString('base64url')}==${t}`) }),
    ],
    [
      'base64 without padding',
      () => ({ body: unpadded, header: v3Of(unpadded.toString('base64').replace(/=/g, '') + t) }),
    ],
    [
      'base64url without padding',
      () => ({ body: unpadded, header: v3Of(unpadded.toString('base64url') + t) }),
    ],
    ['base64 of a shell pipe, with its line break', () => ({ body: event, header: v3Of(`${base64}\n${t}`) })],
    ['lines of 76', () => ({ body: event, header: v3Of(`${base64.match(/.{1,76}/g)!.join('\n')}\n${t}`) })],
    ['lines of 64', () => ({ body: event, header: v3Of(`${base64.match(/.{1,64}/g)!.join('\n')}\n${t}`) })],
  ],
  'message-time-position': [
    ['t and a full stop in front', () => ({ body: event, header: v3Of(`${t}.${base64}`) })],
    ['a full stop in between', () => ({ body: event, header: v3Of(`${base64}.${t}`) })],
    ['t in front', () => ({ body: event, header: v3Of(t + base64) })],
    ['the scheme of other services', () => ({ body: event, header: v3Of(`${t}.${event}`) })],
    [
      'in v2 as well',
      () => ({
        body: event,
        header: `t=${t},v2=${hmac(secret, `${t}.${canonicalEvent}`)}`,
        options: v2Options,
      }),
    ],
    [
      'in v1 as well',
      () => ({ body: '[1, 2]', header: `t=${t},v1=${hmac(apiKey, `[1,2].${t}`)}`, options: v1Options }),
    ],
  ],
  'message-without-time': [
    ['t forgotten', () => ({ body: event, header: v3Of(base64) })],
    ['the body alone', () => ({ body: event, header: v3Of(event) })],
    [
      'v1 without t',
      () => ({ body: '[1, 2]', header: `t=${t},v1=${hmac(apiKey, '[1,2]')}`, options: v1Options }),
    ],
  ],
  'message-decoded': [
    [
      'bytes that are not UTF-8',
      () => ({ body: odd, header: v3Of(Buffer.from(odd.toString()).toString('base64') + t) }),
    ],
    [
      'a byte order mark that the decoder of the sender removes',
      () => ({
        body: Buffer.from('efbbbf22ff22', 'hex'),
        header: v3Of(Buffer.from('"\ufffd"').toString('base64') + t),
      }),
    ],
  ],
  'message-white-space': [
    ['v1 with nothing removed', () => ({ body: spaced, header: v1Of(spaced), options: v1Options })],
    ['v1 with \\s', () => ({ body: tabbed, header: v1Of(tabbed.replace(/\s/g, '')), options: v1Options })],
    ['v1 with tabs', () => ({ body: 'a\tb\u00a0c d', header: v1Of('ab\u00a0cd'), options: v1Options })],
    ['v1 without line breaks', () => ({ body: '[1,\n 2]', header: v1Of('[1, 2]'), options: v1Options })],
    ['v1 without spaces', () => ({ body: '[1,\n 2]', header: v1Of('[1,\n2]'), options: v1Options })],
    [
      'v1 outside of strings only',
      () => ({ body: '{"b": "x y"}', header: v1Of('{"b":"x y"}'), options: v1Options }),
    ],
    [
      'v2 without the removal of spaces',
      () => ({ body: '{"b": "x y", "a": 1}', header: v2Of('{"a":1,"b":"x y"}'), options: v2Options }),
    ],
  ],
  'message-key-order': [
    [
      'not sorted',
      () => ({ body: '{"b": 1, "a": "x y"}', header: v2Of('{"b":1,"a":"xy"}'), options: v2Options }),
    ],
    [
      'without regard to upper case',
      () => ({
        body: '{"b": 1, "B": 3, "a": 2, "C": 4}',
        header: v2Of('{"a":2,"b":1,"B":3,"C":4}'),
        options: v2Options,
      }),
    ],
    [
      'the outermost object only',
      () => ({
        body: '{"b": {"d": 1, "c": 2}, "a": 0}',
        header: v2Of('{"a":0,"b":{"d":1,"c":2}}'),
        options: v2Options,
      }),
    ],
  ],
}

describe('a sender that signs another message is found', () => {
  itFinds(mistakes)

  it('is ignored in a version that is not required', async () => {
    const header = `t=${t},v2=${v2('{}')},v3=${v3('')}`
    const { report } = await explained({ body: event, header })
    expect(report.notTried).toEqual(expect.arrayContaining(['message-white-space', 'message-key-order']))
  })
})
