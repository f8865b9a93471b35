import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { vectorFiles } from '../../packages/core/test/support/vectors.js'
import { Campaign } from '../fuzz/campaign.js'
import { readCorpus, selected } from '../fuzz/corpus.js'
import { SECRET } from '../fuzz/delivery.js'
import { implementation, type Implementation } from '../fuzz/implementation.js'
import { formatArgument, formatLine, parseArgument, parseLine } from '../fuzz/input.js'
import { main } from '../fuzz/main.js'
import { saysTheSame } from '../fuzz/oracle/same-values.js'
import { verdictOn } from '../fuzz/oracle/verdict.js'
import { Random } from '../fuzz/random.js'
import { shrink } from '../fuzz/shrink.js'
import { TARGETS } from '../fuzz/targets/all.js'

const findings = mkdtempSync(join(tmpdir(), 'service-signature-fuzz-'))
afterAll(() => {
  rmSync(findings, { recursive: true })
})

interface World {
  readonly implementation?: Implementation
  readonly clock?: () => number
  readonly signal?: AbortSignal
}

/** Runs it within this process, not guided: the coverage of the tests is counted by the same means. */
async function fuzz(argv: readonly string[], world: World = {}): Promise<{ code: number; text: string }> {
  const lines: string[] = []
  const code = await main([...argv, '--findings', findings], {
    implementation,
    print: (line) => lines.push(line),
    showProgress: undefined,
    signal: new AbortController().signal,
    isGuided: false,
    clock: () => 0,
    ...world,
  })
  return { code, text: lines.join('\n') }
}

describe('core keeps its promises', () => {
  it.each(TARGETS)('$name: over the corpus, and 150 inputs made of it', async (target) => {
    const { code, text } = await fuzz(['--target', target.name, '--inputs', '150', '--seed', '1'])
    expect(text).toContain('nothing was found')
    expect(text).toContain(` ${readCorpus(target).length + 150} inputs`)
    expect(code).toBe(0)
  })
})

type Verifier = ReturnType<Implementation['createVerifier']>
type Verify = Verifier['verifySync']

/** Core, with something else in the place of what verifies. */
function withVerify(
  change: (verify: Verify, ...args: Parameters<Verify>) => ReturnType<Verify>,
): Implementation {
  return {
    ...implementation,
    createVerifier(options) {
      const verifier = implementation.createVerifier(options)
      const verify: Verify = (body, header) => change(verifier.verifySync, body, header)
      const verifySignature: Verifier['verifySignatureSync'] = (body, header) =>
        change(verifier.verifySignatureSync as Verify, body, header)
      return {
        ...verifier,
        verifySync: verify,
        verifySignatureSync: verifySignature,
        // eslint-disable-next-line @typescript-eslint/require-await -- what it throws is to be a rejection
        verify: async (body, header) => verify(body, header),
        // eslint-disable-next-line @typescript-eslint/require-await -- the same
        verifySignature: async (body, header) => verifySignature(body, header),
      }
    },
  }
}

function bytesOf(body: Parameters<Verify>[0]): Buffer {
  return Buffer.from(body as Uint8Array)
}

function otherwise<Value>(call: () => Value, instead: () => Value): Value {
  try {
    return call()
  } catch {
    return instead()
  }
}

const acceptsAnyV3 = withVerify((verify, body, header) =>
  otherwise(
    () => verify(body, header),
    () => {
      const { timestamp, signatures } = implementation.parseSignatureHeader(header)
      if (signatures.v3 === undefined) return verify(body, header)
      const genuine = implementation.sign(body, { secret: SECRET, versions: ['v3'], timestamp })
      return verify(body, genuine)
    },
  ),
)

const FAULTS: readonly (readonly [fault: string, target: string, found: RegExp, faulty: Implementation])[] = [
  ['any v3 is accepted', 'raw-body', /accepted a body that was not signed/, acceptsAnyV3],
  ['any v3 is accepted', 'header', /accepted, and it must be ERR_SIGNATURE_MISMATCH/, acceptsAnyV3],
  [
    'a TypeError is thrown',
    'raw-body',
    /threw TypeError: no such byte, which is no WebhookError/,
    withVerify((verify, body, header) => {
      if (bytesOf(body).includes(0xff)) throw new TypeError('no such byte')
      return verify(body, header)
    }),
  ],
  [
    'the last byte is not looked at',
    'raw-body',
    /with v3 accepted a body that was not signed/,
    withVerify((verify, body, header) => {
      if (!String(header).includes('v3=')) return verify(body, header)
      const isSigned = (bytes: Uint8Array) =>
        otherwise(
          () => Boolean(verify(bytes, header)),
          () => false,
        )
      const sent = bytesOf(body)
      const meant = [0, 1, 2].flatMap((last) => [
        sent.subarray(0, -1),
        Buffer.of(...sent.subarray(0, -1), last),
      ])
      return verify(meant.find(isSigned) ?? sent, header)
    }),
  ],
  [
    'a byte order mark is lost',
    'raw-body',
    /and it must be/,
    withVerify((verify, body, header) => verify(new TextDecoder().decode(bytesOf(body)), header)),
  ],
  [
    'the header is trimmed',
    'header',
    /must refuse this with ERR_SIGNATURE_MALFORMED/,
    {
      ...implementation,
      parseSignatureHeader: (value) =>
        implementation.parseSignatureHeader(typeof value === 'string' ? value.trim() : value),
    },
  ],
  [
    'an error shows the key',
    'header',
    /shows a key/,
    withVerify((verify, body, header) => {
      try {
        return verify(body, header)
      } catch (error) {
        throw Object.assign(error as Error, { message: `not signed with ${SECRET}` })
      }
    }),
  ],
  [
    'the form python prints as JavaScript does',
    'canonical-json',
    /another text in the form python/,
    {
      ...implementation,
      sign: (body, { canonicalForm, ...options }) =>
        implementation.sign(body, {
          ...options,
          canonicalForm: canonicalForm === 'python' ? 'ecmascript' : canonicalForm!,
        }),
    },
  ],
  [
    'v2 is made of what JSON.parse gives',
    'canonical-json',
    /refused another layout|and it must be accepted|reports the form/,
    withVerify((verify, body, header) =>
      verify(
        otherwise(
          () => JSON.stringify(JSON.parse(String(bytesOf(body)))),
          () => body as string,
        ),
        header,
      ),
    ),
  ],
  [
    'a payload is handed on without its __proto__',
    'events',
    /the payload is not what JSON.parse gives/,
    withVerify((verify, body, header) => {
      const webhook = verify(body, header)
      const payload: unknown = JSON.parse(new TextDecoder().decode(bytesOf(body)), (key, value: unknown) =>
        key === '__proto__' ? undefined : value,
      )
      return { ...webhook, event: { ...webhook.event, payload: payload as never } }
    }),
  ],
  [
    'an event is told by its type alone',
    'events',
    /is taken for transaction, and it must be unrecognized/,
    withVerify((verify, body, header) => {
      const webhook = verify(body, header)
      const { event } = webhook
      if (event.type?.startsWith('transaction.') !== true) return webhook
      return { ...webhook, event: { ...event, shape: 'transaction', apiVersion: '1.1' } as never }
    }),
  ],
  [
    'a compressed body is read',
    'receiver',
    /it must be ERR_BODY_ENCODED/,
    {
      ...implementation,
      createReceiver(options) {
        const receiver = implementation.createReceiver(options)
        return { ...receiver, admit: (arrival) => receiver.admit({ ...arrival, encoding: null }) }
      },
    },
  ],
  [
    'the handler runs before the signature is checked',
    'receiver',
    /the handler ran 1 times/,
    {
      ...implementation,
      createReceiver(options) {
        const receiver = implementation.createReceiver(options)
        return {
          ...receiver,
          admit(arrival) {
            void options.dispatcher?.dispatch(undefined as never)
            return receiver.admit(arrival)
          },
        }
      },
    },
  ],
  [
    'explain fails over a long header',
    'explain',
    /explain threw RangeError/,
    {
      ...implementation,
      explain(body, header, options) {
        if (String(header).length > 100) throw new RangeError('too long')
        return implementation.explain(body, header, options)
      },
    },
  ],
  [
    'a report shows the key',
    'explain',
    /explain shows a key/,
    {
      ...implementation,
      formatReport: (report) =>
        `${implementation.formatReport(report)} ${Buffer.from(SECRET).toString('hex')}`,
    },
  ],
]

describe('a fault is found', () => {
  it.each(FAULTS)('%s (%s)', async (_, target, message, faulty) => {
    const found = await fuzz(['--target', target, '--inputs', '3000', '--seed', '7'], {
      implementation: faulty,
    })
    expect(found.text).toMatch(message)
    expect(found.code).toBe(1)

    const [, repeat = ''] = /again: npm run fuzz -- (.*)/.exec(found.text) ?? []
    const again = await fuzz(repeat.split(' '), { implementation: faulty })
    expect(again.text).toMatch(message)
    expect(again.code).toBe(1)
    expect((await fuzz(repeat.split(' '))).code).toBe(0)
  })

  it('with a file that says what it is and how to see it again', async () => {
    const { text } = await fuzz(['--target', 'header', '--inputs', '3000', '--seed', '7'], {
      implementation: acceptsAnyV3,
    })
    const [, name = ''] = /written to .*(header-[0-9a-f]{12}\.json)/.exec(text) ?? []
    const file = join(findings, name)
    const finding = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
    expect(finding).toMatchObject({ target: 'header', seed: 7 })
    expect(finding['fault']).toMatch(/must be ERR_SIGNATURE_MISMATCH/)
    expect(finding['repeat']).toContain(finding['input'])
    const again = await fuzz(['--target', 'header', '--input', file], { implementation: acceptsAnyV3 })
    expect(again.code).toBe(1)
  })

  it('also where a call is slow, by a clock', async () => {
    let now = 0
    const slow = withVerify((verify, body, header) => {
      if (bytesOf(body).length > 2) now += 1001
      return verify(body, header)
    })
    const world = { implementation: slow, clock: () => now }
    const { code, text } = await fuzz(['--target', 'events', '--inputs', '10', '--seed', '1'], world)
    expect(text).toContain('verify took 1001 ms')
    expect(code).toBe(1)
  })

  it('and not where it was slow once', async () => {
    let now = 0
    const slow = withVerify((verify, body, header) => {
      if (now === 0) now = 1001
      return verify(body, header)
    })
    const world = { implementation: slow, clock: () => now }
    expect((await fuzz(['--target', 'events', '--inputs', '1', '--seed', '1'], world)).code).toBe(0)
  })
})

it('the second opinion agrees with every test vector', () => {
  let count = 0
  for (const { testGroups } of vectorFiles) {
    for (const { tests, secrets, apiKeys, versions, operation, ...window } of testGroups) {
      for (const { tcId, body, header, now, result, code, secretIndex, canonicalForm } of tests) {
        // Of several API keys it knows nothing: no input has them.
        if (apiKeys.length > 1) continue
        const rules = {
          secrets: secrets.length > 0 ? secrets : ['none'],
          apiKey: apiKeys[0] ?? 'none',
          versions,
          toleranceSeconds: Number(window.toleranceSeconds),
          futureToleranceSeconds: window.futureToleranceSeconds,
          now,
        }
        const bytes = Uint8Array.from(Buffer.from(body, 'hex'))
        const verdict = verdictOn(rules, bytes, header, { needsJson: operation === 'webhook' })
        const expected = result === 'valid' ? { secretIndex, canonicalForm } : { code }
        expect({ tcId, ...verdict }).toMatchObject({ tcId, ...expected })
        count++
      }
    }
  }
  expect(count).toBeGreaterThan(1200)
})

it.each([
  [true, '{"a":"x y","b":[10.0]}', '{ "b": [10], "a": "xy" }'],
  [true, '9007199254740993', '9007199254740992'],
  [true, '"\\u00e9"', '"\u00e9"'],
  [false, '{"a":1}', '{"a":2}'],
  [false, '{"a":1}', '{"b":1}'],
  [false, '[1,2]', '[2,1]'],
  [false, '"1"', '1'],
  [false, '[]', '{}'],
  [false, '"a\\n"', '"a"'],
  [false, '{"__proto__":1}', '{}'],
])('that they say the same is %s of %s and %s', (isSame, one, other) => {
  expect(saysTheSame(Buffer.from(one), Buffer.from(other))).toBe(isSame)
})

it('the same seed makes the same inputs, and another seed others', async () => {
  async function inputsOf(seed: number): Promise<string[]> {
    const seen: string[] = []
    const target = {
      ...TARGETS[0]!,
      run(input: Readonly<Record<string, Uint8Array>>) {
        seen.push(formatLine(input))
        return Promise.resolve()
      },
    }
    const tools = { implementation, peer: undefined, places: undefined, clock: () => 0 }
    const corpus = readCorpus(target)
    await new Campaign(target, tools, seed).run(
      corpus,
      [],
      (inputs) => inputs >= 50,
      () => undefined,
    )
    return seen
  }
  expect(await inputsOf(3)).toEqual(await inputsOf(3))
  expect(await inputsOf(3)).not.toEqual(await inputsOf(4))
  expect(new Set(await inputsOf(3)).size).toBeGreaterThan(25)
})

it('an input is shrunk to what shows the fault', async () => {
  const input = {
    header: Buffer.from('x'.repeat(300)),
    body: Buffer.from(`${'y'.repeat(500)}!${'z'.repeat(70)}`),
  }
  const hasMark = ({ body }: Readonly<Record<string, Uint8Array>>) => Promise.resolve(body!.includes(0x21))
  expect(formatLine(await shrink(input, hasMark))).toBe('{"header":"","body":"!"}')
  expect(await shrink(input, hasMark, 0)).toBe(input)

  // Stretches would take one try for each space, and more.
  const spaced = { body: Buffer.from('[ ] '.repeat(100)) }
  const isBalanced = ({ body }: Readonly<Record<string, Uint8Array>>) =>
    Promise.resolve(Buffer.from(body!).toString().replaceAll(' ', '') === '[]'.repeat(100))
  expect(formatLine(await shrink(spaced, isBalanced, 10))).toBe(`{"body":"${'[]'.repeat(100)}"}`)
})

it('of two inputs that reach the same, the smaller one is kept', async () => {
  const reached = new Set<number>()
  const reachesNew = ({ body }: Readonly<Record<string, Uint8Array>>) => {
    const before = reached.size
    return Promise.resolve(reached.add(body![0]!).size > before)
  }
  const inputs = ['aaa', 'b', 'a', 'bb'].map((text) => ({ body: Buffer.from(text) }))
  expect((await selected(inputs, reachesNew)).map(formatLine)).toEqual(['{"body":"b"}', '{"body":"a"}'])
})

it('any bytes survive the corpus and the command line', () => {
  const random = new Random(1)
  const bytes = Uint8Array.from({ length: 512 }, (_, at) => (at < 256 ? at : random.below(256)))
  const input = { header: new Uint8Array(), body: bytes }
  expect(formatLine(input)).toMatch(/^[\x20-\x7e]*$/)
  expect(parseLine(formatLine(input))).toEqual(input)
  expect(parseArgument(formatArgument(input))).toEqual(input)
})

it('the corpus is small, and plain ASCII', () => {
  const folder = fileURLToPath(new URL('../fuzz/corpus/', import.meta.url))
  const names = readdirSync(folder)
  expect(names.sort()).toEqual(TARGETS.map(({ name }) => `${name}.jsonl`).sort())
  expect(names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)).toBeLessThan(200_000)
  for (const name of names) expect(readFileSync(join(folder, name), 'latin1')).toMatch(/^[\n\x20-\x7e]*$/)
})

describe('the command line', () => {
  it.each([
    [
      'a target that is not there',
      ['--target', 'nothing'],
      'There is no target "nothing". There are: header,',
    ],
    ['a number that is none', ['--seconds', '1.5'], '--seconds must be a whole number'],
    ['a seed that is none', ['--seed', 'x'], '--seed must be a whole number'],
    ['a time and a number of inputs', ['--seconds', '1', '--inputs', '1'], 'and not both'],
    ['an input for no target', ['--input', 'header='], '--input needs one --target'],
    [
      'an input that is none',
      ['--target', 'header', '--input', 'header=7'],
      'An input is written as name=hex',
    ],
    ['an option that is not there', ['--sed', '1'], '--sed'],
  ])('%s ends it with 2', async (_, argv, message) => {
    const { code, text } = await fuzz(argv)
    expect(code).toBe(2)
    expect(text).toContain(message)
    expect(text).toContain('npm run fuzz -- [options]')
  })

  it('--help names every target, and ends with 0', async () => {
    const { code, text } = await fuzz(['--help'])
    expect(code).toBe(0)
    for (const { name } of TARGETS) expect(text).toContain(`\n  ${name} `)
  })

  it('an interruption ends it with the summary, and with 130', async () => {
    const signal = AbortSignal.abort()
    const { code, text } = await fuzz(['--seconds', '60'], { signal })
    expect(text).toContain('interrupted\nnothing was found')
    expect(code).toBe(130)
  })
})

const run = fileURLToPath(new URL('../fuzz/run.js', import.meta.url))
const isBuilt = existsSync(new URL('../../packages/core/dist/esm/receiver.js', import.meta.url))

describe.skipIf(!isBuilt)('as a process of its own, over the built packages', () => {
  async function process(
    argv: readonly string[],
    { interruptAt }: { readonly interruptAt?: string } = {},
  ): Promise<{ code: unknown; text: string }> {
    const child = spawn(globalThis.process.execPath, [...argv], { stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    let isInterrupted = interruptAt === undefined
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      // Once: the second time it would end at once.
      if (!isInterrupted && text.includes(String(interruptAt))) isInterrupted = child.kill('SIGINT')
    })
    const [code] = (await once(child, 'close')) as unknown[]
    return { code, text }
  }

  it('it is guided by the code that is reached', async () => {
    const { code, text } = await process([run, '--target', 'header', '--inputs', '20', '--seed', '1'])
    expect(text).toMatch(/^header .* [1-9][0-9]* places, /m)
    expect(text).toContain('nothing was found')
    expect(code).toBe(0)
  })

  it('it fuzzes the edge build, too', async () => {
    const argv = ['--conditions=worker', run, '--target', 'raw-body', '--inputs', '20', '--seed', '1']
    const { code, text } = await process(argv)
    expect(text).toContain('nothing was found')
    expect(code).toBe(0)
  })

  it('Ctrl-C ends it with the summary', async () => {
    const { code, text } = await process([run, '--seconds', '600', '--seed', '1'], { interruptAt: 'seed 1' })
    expect(text).toMatch(/^header .* inputs /m)
    expect(text).toContain('interrupted')
    expect(code).toBe(130)
  })
})
