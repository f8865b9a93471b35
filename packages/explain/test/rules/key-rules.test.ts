import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { HypothesisName } from '../../src/index.js'
import { apiKey, canonicalEvent, event, secret, signed, t, v1, v2, v3 } from '../support/genuine.js'
import { expectFound, explained, itFinds, type Mistake } from '../support/mistake.js'
import { throughFile } from '../support/places.js'

/** Every name in this list has a test. */
type KeyHypothesis = Exclude<Extract<HypothesisName, `key${string}`>, 'keys-mixed'>

/** The header of a sender whose secret is another text, or bytes. */
function signedWith(key: string | Uint8Array): string {
  return `t=${t},v1=${v1(event)},v2=${v2(canonicalEvent, key)},v3=${v3(event, key)}`
}

const dotenv = `# keys\nWEBHOOK_SECRET="${secret}"\nOTHER=1\n`

/** As `docker run --env-file` reads it: everything after the equals sign. */
function dockerEnv(file: string, name: string): string {
  const line = file.split('\n').find((text) => text.startsWith(`${name}=`))!
  return line.slice(name.length + 1)
}

const hexSecret = '00ff7a1b2c3d4e5f60718293a4b5c6d7'
const base64Secret = Buffer.from('ff00ab12cd34ef5678901234', 'hex').toString('base64')

const mistakes: Readonly<Record<KeyHypothesis, readonly Mistake[]>> = {
  'key-white-space': [
    [
      'a secret that echo wrote to a file',
      () => {
        const file = throughFile('', (path) => {
          writeFileSync(path, `${secret}\n`)
        })
        return { body: event, options: { secret: file.toString() } }
      },
    ],
    ['a secret pasted with a space before it', () => ({ body: event, options: { secret: ` ${secret}` } })],
    ['a tab after it', () => ({ body: event, options: { secret: `${secret}\t` } })],
    [
      'a byte order mark of a Windows editor',
      () => ({ body: event, options: { secret: `\ufeff${secret}\r\n` } }),
    ],
    ['a zero-width space from a chat', () => ({ body: event, options: { secret: `${secret}\u200b` } })],
    [
      'a line break that was written as two characters',
      () => ({ body: event, options: { secret: `${secret}\\n` } }),
    ],
    [
      'a line that was wrapped in the middle',
      () => ({ body: event, options: { secret: `${secret.slice(0, 12)}\n${secret.slice(12)}` } }),
    ],
    [
      'an API key that echo wrote to a file',
      () => ({ body: event, options: { apiKey: `${apiKey}\n`, versions: ['v1'] } }),
    ],
  ],
  'key-quoted': [
    [
      'a .env file with quotes that Docker reads',
      () => ({
        body: event,
        options: { secret: dockerEnv(throughFile(dotenv).toString(), 'WEBHOOK_SECRET') },
      }),
    ],
    ['single quotes from a shell script', () => ({ body: event, options: { secret: `'${secret}'` } })],
    ['quotes of a word processor', () => ({ body: event, options: { secret: `\u201c${secret}\u201d` } })],
    [
      'the second of two secrets has them',
      () => ({ body: event, options: { secret: ['another', `"${secret}"`] } }),
    ],
  ],
  'key-prefixed': [
    [
      'the name that grep printed with it',
      () => ({ body: event, options: { secret: `WEBHOOK_SECRET=${secret}` } }),
    ],
    [
      'a whole line of a .env file',
      () => ({ body: event, options: { secret: `export WEBHOOK_SECRET="${secret}"\n` } }),
    ],
    [
      'a header of a request, copied whole',
      () => ({ body: event, options: { secret: `X-Webhook-Secret: ${secret}` } }),
    ],
    ['the word Bearer', () => ({ body: event, options: { secret: `Bearer ${secret}` } })],
  ],
  'key-json-answer': [
    [
      'the answer of the signature-key call, kept whole',
      () => {
        const answer = {
          status: { code: 200, message: 'OK', errors: [] },
          data: { webhook_signature_secret: secret },
        }
        return { body: event, options: { secret: JSON.stringify(answer) } }
      },
    ],
    [
      'only the data of that answer',
      () => ({ body: event, options: { secret: JSON.stringify({ webhook_signature_secret: secret }) } }),
    ],
    [
      'the field with the quotes and escapes of JSON',
      () => ({
        body: event,
        header: signedWith('a\\b/c"d'),
        options: { secret: JSON.stringify('a\\b/c"d') },
      }),
    ],
  ],
  'key-base64': [
    [
      'the data of a Kubernetes secret',
      () => ({ body: event, options: { secret: Buffer.from(secret).toString('base64') } }),
    ],
    [
      'a sender that decodes the secret, as with other vendors',
      () => ({
        body: event,
        header: signedWith(Buffer.from(base64Secret, 'base64')),
        options: { secret: base64Secret },
      }),
    ],
    [
      'a receiver that decoded it',
      () => {
        const encoded = Buffer.from('plain-text-secret').toString('base64')
        return { body: event, header: signedWith(encoded), options: { secret: 'plain-text-secret' } }
      },
    ],
  ],
  'key-hex': [
    [
      'a sender that takes the secret for hex',
      () => ({
        body: event,
        header: signedWith(Buffer.from(hexSecret, 'hex')),
        options: { secret: hexSecret },
      }),
    ],
    [
      'a receiver that decoded it',
      () => {
        const encoded = Buffer.from('plain-text-secret').toString('hex')
        return { body: event, header: signedWith(encoded), options: { secret: 'plain-text-secret' } }
      },
    ],
  ],
  'key-percent-encoded': [
    [
      'a secret taken from a connection string',
      () => ({
        body: event,
        options: { secret: new URL(`hooks://x:${encodeURIComponent(secret)}@localhost`).password },
      }),
    ],
    [
      'a secret with a plus, read as a form',
      () => ({ body: event, options: { secret: new URLSearchParams(`secret=${secret}`).get('secret')! } }),
    ],
    [
      'a secret that is percent-encoded at the sender',
      () => ({ body: event, header: signedWith(encodeURIComponent(secret)) }),
    ],
  ],
  'key-escaped': [
    ['JSON of PHP', () => ({ body: event, options: { secret: secret.replaceAll('/', '\\/') } })],
    ['JSON of Gson', () => ({ body: event, options: { secret: secret.replaceAll('+', '\\u002b') } })],
    ['backslashes of a shell', () => ({ body: event, options: { secret: secret.replaceAll('+', '\\+') } })],
    ['the source of a page', () => ({ body: event, options: { secret: secret.replaceAll('+', '&#x2B;') } })],
  ],
  'key-cut': [
    [
      'its padding, trimmed away',
      () => ({
        body: event,
        header: signed(event, canonicalEvent, { secret: `${secret}==` }),
        options: { secret },
      }),
    ],
  ],
  'key-organization': [
    [
      'the value of X-Api-Key in place of the key in it',
      () => ({ body: event, options: { secret, apiKey: `${apiKey},acc_19,true`, versions: ['v1', 'v3'] } }),
    ],
    [
      'the same with spaces after its commas',
      () => ({
        body: event,
        options: { secret, apiKey: `${apiKey}, acc_19, true`, versions: ['v1', 'v3'] },
      }),
    ],
  ],
  'keys-swapped': [
    [
      'two variables that were mixed up',
      () => ({ body: event, options: { secret: apiKey, apiKey: secret } }),
    ],
    [
      'the API key in place of the secret, and nothing else',
      () => ({ body: event, options: { secret: apiKey } }),
    ],
    [
      'the secret in place of the API key, and nothing else',
      () => ({ body: event, options: { apiKey: secret } }),
    ],
  ],
}

describe('faults of a key are found', () => {
  itFinds(mistakes)
})

describe('the versions that match lead to a conclusion about a key', () => {
  const inferred: Readonly<Partial<Record<HypothesisName, readonly Mistake[]>>> = {
    'other-secret': [
      [
        'the secret of another organization, with the right API key',
        () => ({ body: event, options: { secret: 'wh_of_another_organization', apiKey } }),
      ],
    ],
    'other-api-key': [
      [
        'another key of the account, with the right secret',
        () => ({ body: event, options: { secret, apiKey: 'acct_another_key', versions: ['v1', 'v3'] } }),
      ],
    ],
    'keys-mixed': [
      [
        'a sender in the middle of a rotation',
        () => ({
          body: event,
          header: `t=${t},v2=${v2(canonicalEvent, 'previous_secret')},v3=${v3(event)}`,
          options: { secret: ['previous_secret', secret], versions: ['v2', 'v3'] },
        }),
      ],
    ],
  }
  itFinds(inferred)
})

it('the report names which of several keys has the fault', async () => {
  const options = { secret: ['first_key', `${secret}\n`] }
  const report = await expectFound({ body: event, options }, 'key-white-space')
  expect(report.hypotheses[0]!.happened).toBe('the given secret[1] has a line break at its ends')
})

it('both keys may have the same fault, and then neither is called another key', async () => {
  const options = { secret: `${secret}\n`, apiKey: `${apiKey}\n`, versions: ['v1', 'v3'] } as const
  const { report } = await explained({ body: event, options })
  expect(report.finding).toBe(
    'The given secret has a line break at its ends, and the given apiKey has a line break at its ends [key-white-space].',
  )
})

it('the report names what one proof leaves open', async () => {
  const header = `t=${t},v2=${v2(canonicalEvent)},v3=${v3('something else', 'another_secret')}`
  const options = { secret: `${secret}\n`, versions: ['v2', 'v3'] } as const
  const { report } = await explained({ body: event, header, options })
  expect(report.finding).toMatch(/\[key-white-space, body-not-verbatim\]/)
  const apart = await explained({
    body: event,
    header: `t=${t},v1=${v1(event)},v2=${v2(canonicalEvent, 'another_secret')}`,
    options: { secret, apiKey: ` ${apiKey}`, versions: ['v1', 'v2'] },
  })
  expect(apart.report.finding).toBe(
    'The given apiKey has a space at its ends [key-white-space]; besides, nothing explains why v2 differs.',
  )
})

it('a body that v3 has proven right is not changed any more', async () => {
  const { report } = await explained({
    body: event,
    options: { secret, apiKey: 'acct_another_key', versions: ['v1', 'v3'] },
  })
  expect(report.hmacs).toBeLessThan(40)
})
