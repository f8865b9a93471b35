import { describe, expect, it } from 'vitest'
import type { Answer, Exchange } from '../../src/send/exchange.js'
import {
  ACKNOWLEDGED,
  ACKNOWLEDGED_AT_LAST,
  ACKNOWLEDGED_TWICE,
  ALIKE,
  ANSWERED,
  HANDLED_ONCE,
  REFUSED,
  REFUSED_METHOD,
  REFUSED_OR_CLOSED,
  WITHOUT_SECRETS,
  WITHOUT_STACK,
} from '../../src/cases/expectation.js'

const closed: Answer = { kind: 'closed', reason: 'closed' }
const silent: Answer = { kind: 'silent', reason: 'no answer in 1 s' }
const lost: Answer = { kind: 'lost', reason: 'answer lost' }
const gone: Answer = { kind: 'unreachable', reason: 'no connection' }

function answered(status: number, body = ''): Answer {
  return { kind: 'answered', status, body, text: `Server\ntest\n${body}`, date: NaN }
}

function exchanges(
  answers: readonly (Answer | number)[],
  secrets: readonly string[] = [],
): readonly Exchange[] {
  return answers.map((answer) => ({
    delivery: { method: 'POST', headers: [], body: Buffer.of(), manner: 'whole', secrets: () => secrets },
    answer: typeof answer === 'number' ? answered(answer) : answer,
  }))
}

const STATUSES = [
  [
    '2xx',
    ACKNOWLEDGED,
    [[200], [202], [204, 299]],
    'loses',
    [[400], [409], [199], [301], [500], [closed], [silent], [gone], [204, 401]],
  ],
  [
    '2xx twice',
    ACKNOWLEDGED_TWICE,
    [
      [200, 200],
      [204, 409],
    ],
    'loses',
    [
      [409, 200],
      [200, 400],
      [200, 429],
      [200, 302],
      [200, closed],
      [401, 200],
    ],
  ],
  ['4xx', REFUSED, [[400], [401, 499]], 'fails', [[500], [401, 502], [302], [closed], [silent], [gone]]],
  [
    '4xx or 501',
    REFUSED_METHOD,
    [[405], [501], [404, 501]],
    'fails',
    [[500], [503], [302], [closed], [silent], [gone]],
  ],
  ['4xx or 501', REFUSED_METHOD, [[501]], 'accepts', [[200], [501, 204]]],
  [
    '2xx or 409, and handled once',
    HANDLED_ONCE,
    [
      [204, 204, 409],
      [204, 200, 204, 200],
      [204, 204, 204],
      [204, 200, 409],
    ],
    'loses',
    [
      [204, 409, 409],
      [409, 204],
      [204, 500, 204],
      [204, closed, 204],
      [silent, 204],
    ],
  ],
  ['2xx or 409, and handled once', HANDLED_ONCE, [[204, 204]], 'accepts', [[204, 204, 204, 200]]],
  [
    '2xx to the last retry',
    ACKNOWLEDGED_AT_LAST,
    [
      [lost, 409, 204],
      [lost, 204, 200],
    ],
    'loses',
    [
      [lost, 204, 409],
      [lost, 500, 204],
      [lost, 204, closed],
    ],
  ],
  ['4xx', REFUSED, [[404]], 'accepts', [[200], [401, 204], [204, 500], [closed, 200]]],
  [
    '4xx or closed',
    REFUSED_OR_CLOSED,
    [[413], [closed], [401, closed]],
    'fails',
    [[500], [silent], [gone], [307]],
  ],
  ['4xx or closed', REFUSED_OR_CLOSED, [[431]], 'accepts', [[200], [closed, 202]]],
  ['2xx or 4xx', ANSWERED, [[200], [400, 204]], 'fails', [[500], [302], [closed], [silent], [200, gone]]],
] as const

describe.each(STATUSES)('if the right answer is %s', (text, expectation, right, weakness, wrong) => {
  it('the report shows it', () => {
    expect(expectation.text).toBe(text)
  })

  it.each(right.map((answers) => [answers]))('%j is right', (answers) => {
    expect(expectation.weaknessIn(exchanges(answers))).toBeUndefined()
  })

  it.each(wrong.map((answers) => [answers]))(`%j: it ${weakness}`, (answers) => {
    expect(expectation.weaknessIn(exchanges(answers))).toBe(weakness)
  })
})

describe('if answers must be equal', () => {
  it.each([
    ['they are the same', [answered(401, 'refused'), answered(401, 'refused')]],
    [
      'they differ in a UUID',
      [
        answered(401, 'id 5f0c1a52-93f2-4a8e-b7c1-0d2a44a7d0f1'),
        answered(401, 'id 5f0c1a52-93f2-4a8e-b7c1-0d2a44a7d0f2'),
      ],
    ],
    [
      'they differ in a time',
      [answered(401, '2025-03-27T15:41:20.371Z'), answered(401, '2025-03-27T15:41:21.002Z')],
    ],
    ['they differ in a Unix time', [answered(401, '{"at":1743090080}'), answered(401, '{"at":1743090081}')]],
    [
      'they differ in a long number',
      [answered(401, 'trace 4bf92f3577b34da6'), answered(401, 'trace 00f067aa0ba902b7')],
    ],
    ['one is not a refusal', [answered(401, 'refused'), answered(204), answered(500, 'error'), closed]],
  ])('it is right that %s', (_what, answers) => {
    expect(ALIKE.weaknessIn(exchanges(answers))).toBeUndefined()
  })

  it.each([
    ['status', [answered(401, 'refused'), answered(403, 'refused')]],
    ['words', [answered(401, 'stale'), answered(401, 'forged')]],
    ['a short number', [answered(401, '{"code":17}'), answered(401, '{"code":18}')]],
    ['a code in capitals', [answered(401, 'ERR_TIMESTAMP_TOO_OLD'), answered(401, 'ERR_SIGNATURE_MISMATCH')]],
  ])('it is a leak that they differ in their %s', (_what, answers) => {
    expect(ALIKE.weaknessIn(exchanges(answers))).toBe('leaks')
  })
})

describe('if answers must not contain a secret', () => {
  it('each of the secrets is a leak', () => {
    for (const secret of ['the-key', 'the-digest']) {
      const answers = exchanges([401, answered(401, `not ${secret}`)], ['the-key', 'the-digest'])
      expect(WITHOUT_SECRETS.weaknessIn(answers)).toBe('leaks')
    }
  })

  it('an answer without a secret is right, and so is a missing answer', () => {
    expect(
      WITHOUT_SECRETS.weaknessIn(exchanges([answered(401, 'refused'), closed], ['the-key'])),
    ).toBeUndefined()
  })
})

describe('if answers must not contain a stack trace', () => {
  it.each([
    'Error: no\n    at verify (/srv/app/verify.js:12:34)',
    'Error: no<br> &nbsp; &nbsp;at file:///srv/app/verify.mjs:12:34',
    'at async /srv/app/src/verify.ts:1:2',
    'at process.processTicksAndRejections (node:internal/process/task_queues:95:5)',
    'Traceback (most recent call last):\n  File "/srv/app.py", line 3, in verify',
    'at com.example.Verify.check(Verify.java:27)',
    "/srv/app/verify.rb:12:in `check'",
    '#0 /srv/app/verify.php(12): check()',
    'in /srv/app/verify.php:12',
    'main.verify(...)\n\t/srv/app/verify.go:12 +0x1d',
    'at Verify.Check() in /srv/Verify.cs:line 12',
  ])('%j is a leak', (body) => {
    expect(WITHOUT_STACK.weaknessIn(exchanges([401, answered(500, body)]))).toBe('leaks')
  })

  it.each([
    '',
    'refused at 12:30:59',
    '{"status":{"code":401,"message":"refused","errors":[]}}',
    'see https://docs.example:8443/errors.html:1',
    'rejected at 2025-03-27T15:41:20Z',
  ])('%j is right', (body) => {
    expect(WITHOUT_STACK.weaknessIn(exchanges([answered(401, body), closed]))).toBeUndefined()
  })
})
