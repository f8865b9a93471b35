import { describe, expect, it, vi } from 'vitest'
import type { AuditOptions } from '../src/audit.js'
import { listCases } from '../src/cases/cases.js'
import { formatText } from '../src/report/report-text.js'
import { auditOf, weaknessesOf } from './support/audit.js'
import { endpointOf, Refusal, SOUND, v1Of, v3Of, type Recipe } from './support/recipe.js'
import { serve } from './support/serve.js'
import { apiKey } from './support/truth.js'

const account = 'acc_berlin'
const CASES = ['other account, purchase', 'other account, intent', 'other mode, intent']

interface Event {
  readonly account?: { readonly id: string }
  readonly data?: { readonly intent: Intent }
}

interface Intent {
  readonly account: string
  readonly is_live: boolean
  readonly active_transaction: { readonly account: string }
  readonly transactions_history: readonly { readonly account: string }[]
}

/** What reached the handler of an endpoint. */
interface Handled {
  readonly accounts: Set<string | undefined>
  readonly modes: Set<boolean>
}

/** Verifies, and then compares what is listed here with what the event says. It uses no code of this project. */
function expecting(
  wanted: { readonly account?: string; readonly live?: boolean; readonly status?: number },
  changes: Partial<Recipe> = {},
) {
  const handled: Handled = { accounts: new Set(), modes: new Set() }
  const listener = endpointOf({
    ...changes,
    handle(body, res) {
      const event = parsed(body)
      if (event === undefined) {
        SOUND.handle(body, res)
        return
      }
      const intent = event.data?.intent
      const sent = intent?.account ?? event.account?.id
      const isOfAnother = wanted.account !== undefined && sent !== wanted.account
      const isOfOtherMode =
        wanted.live !== undefined && intent !== undefined && intent.is_live !== wanted.live
      if (isOfAnother || isOfOtherMode) throw new Refusal(wanted.status ?? 403, 'not ours')
      handled.accounts.add(sent)
      if (intent !== undefined) handled.modes.add(intent.is_live)
      SOUND.handle(body, res)
    },
  })
  return { listener, handled }
}

function parsed(body: Buffer): Event | undefined {
  try {
    const event: unknown = JSON.parse(body.toString().replace(/^\ufeff/, ''))
    return Array.isArray(event) ? undefined : (event as Event)
  } catch {
    return undefined
  }
}

/** Only these cases. */
const OTHERS = { survives: true, groups: ['survives'], only: 'other' } as const

describe('an audit with account and mode', () => {
  it.each([true, false])('passes an endpoint that checks both (live: %s)', async (live) => {
    const { listener, handled } = expecting({ account, live })
    const report = await auditOf(await serve(listener), { ...OTHERS, account, live })
    expect(weaknessesOf(report)).toEqual({})
    expect(report.cases.map(({ name }) => name)).toEqual(CASES)
    // Nothing of another account or mode has reached the handler.
    expect(handled).toEqual({ accounts: new Set([account]), modes: new Set() })
    expect(formatText(report)).not.toContain('Not checked')
  })

  it('finds that an endpoint checks neither, and says what it costs', async () => {
    const { listener, handled } = expecting({})
    const report = await auditOf(await serve(listener), { ...OTHERS, account, live: true })
    expect(report.conclusion).toBe('It accepts events of another account, or of the other mode.')
    expect(weaknessesOf(report)).toEqual({ accepts: CASES })
    expect(handled.modes).toEqual(new Set([true, false]))
    const text = formatText(report).replace(/\n */g, ' ')
    expect(text).toContain('Goods are shipped for a payment to someone else')
    expect(text).toContain('Goods are shipped for a payment with a test card')
    expect(text).toContain('Fix: Compare "account.id"')
    expect(text).toContain('Fix: Compare "data.intent.is_live"')
  })

  it.each<readonly [string, Parameters<typeof expecting>[0], readonly string[]]>([
    ['the account only', { account }, [CASES[2]!]],
    ['the mode only', { live: true }, CASES.slice(0, 2)],
  ])('finds that an endpoint checks %s', async (_what, wanted, accepts) => {
    const url = await serve(expecting(wanted).listener)
    const report = await auditOf(url, { ...OTHERS, account, live: true })
    expect(weaknessesOf(report)).toEqual({ accepts })
  })

  it('finds that an endpoint fails where it should refuse', async () => {
    const { listener } = expecting({ account, live: true, status: 500 })
    const report = await auditOf(await serve(listener), { ...OTHERS, account, live: true })
    expect(weaknessesOf(report)).toEqual({ fails: CASES })
    expect(new Set(report.cases.map(({ cost }) => cost))).toEqual(
      new Set(['The delivery is not accepted, but a sender that retries does so again and again.']),
    )
  })

  it('passes an endpoint that refuses them by v1, which another key signed', async () => {
    const vouches: Recipe['vouches'] = ({ t, v1, v3 }, body) =>
      v3 === v3Of(body, t!) && v1 === v1Of(body, t!, apiKey)
    const { listener, handled } = expecting({}, { vouches })
    const options = { ...OTHERS, account, live: true, versions: ['v1', 'v3'] } as const
    const url = await serve(listener)
    expect(weaknessesOf(await auditOf(url, options))).toEqual({})
    // v1 proves the account of an event of an unknown type, too.
    const unknown = { ...options, groups: ['genuine'], only: 'unknown event' } as const
    expect(await auditOf(url, unknown)).toMatchObject({ total: 1, passed: 1 })
    expect(handled.modes).toEqual(new Set())
  })

  it('sends events whose every field is of one account and one mode', async () => {
    const sent: Intent[] = []
    const listener = endpointOf({
      handle(body, res) {
        const intent = parsed(body)?.data?.intent
        if (intent !== undefined) sent.push(intent)
        SOUND.handle(body, res)
      },
    })
    await auditOf(await serve(listener), { account, live: true, survives: true, only: 'intent' })
    const owners = sent.map(({ account, is_live, active_transaction, transactions_history }) => ({
      accounts: new Set([
        account,
        active_transaction.account,
        ...transactions_history.map((each) => each.account),
      ]),
      is_live,
    }))
    expect(owners).toEqual([
      { accounts: new Set([account]), is_live: true },
      { accounts: new Set([expect.not.stringMatching(account)]), is_live: true },
      { accounts: new Set([account]), is_live: false },
    ])
  })
})

describe('an audit without account or mode', () => {
  const UNCHECKED = 'Not checked: whether the endpoint refuses genuine events of '

  it.each<readonly [AuditOptions, string]>([
    [
      {},
      'another account and of the other mode, which have the same secret. Set "account", "live" and "survives".',
    ],
    [
      { account },
      'another account and of the other mode, which have the same secret. Set "live" and "survives".',
    ],
    [
      { account, live: true },
      'another account and of the other mode, which have the same secret. Set "survives".',
    ],
  ])('with %j says what was not checked, and how it is', async (options, words) => {
    const { listener } = expecting({ account: 'acc_01hxw4b7d2e9k3m5n8p0q6r1st', ...options })
    const report = await auditOf(await serve(listener), options)
    expect(report.cases.filter(({ group }) => group === 'survives')).toEqual([])
    const notes = report.notes.filter((note) => note.startsWith(UNCHECKED))
    expect(notes).toEqual([expect.stringContaining(words)])
    expect(report.failed).toBe(0)
  })

  it.each<AuditOptions>([{ groups: ['time'] }, { only: 'stale' }])(
    'says nothing of it with %j',
    async (options) => {
      const report = await auditOf(await serve(endpointOf({})), options)
      expect(report.notes.filter((note) => note.startsWith(UNCHECKED))).toEqual([])
    },
  )

  it('that gets 403 says which account and mode it sent', async () => {
    const { listener, handled } = expecting({ account: 'acc_other', live: true })
    const { problem } = await auditOf(await serve(listener), { account })
    expect(problem).toMatch(
      /^The endpoint answers 403 to valid deliveries: it expects another account or mode, or it has another key\. The audit sent events of the account acc_berlin in test mode, signed with the secret sha256:/,
    )
    expect(handled.accounts).toEqual(new Set())
  })
})

describe('the options', () => {
  it.each<readonly [AuditOptions & Record<string, unknown>, string]>([
    [{ account: '' }, '"account" must be a non-empty string, got ""'],
    [{ account: 5 as unknown as string }, '"account" must be a non-empty string, got 5'],
    [{ live: 'yes' as unknown as boolean }, '"live" must be a boolean, got "yes"'],
    [{ survives: 1 as unknown as boolean }, '"survives" must be a boolean, got 1'],
    [{ groups: ['survives'] }, 'The group "survives" needs "survives": it books 1,000 payments'],
  ])('%j are rejected, and nothing is sent', async (options, message) => {
    const listener = vi.fn()
    await expect(auditOf(await serve(listener), options)).rejects.toThrow(message)
    expect(listener).not.toHaveBeenCalled()
  })

  it('decide which cases are listed', () => {
    const names = (options: Parameters<typeof listCases>[0]) =>
      listCases({ only: 'other ', groups: ['survives'], ...options }).map(({ name }) => name)
    expect(names({ account, live: false })).toEqual([])
    expect(names({ survives: true })).toEqual([])
    expect(names({ survives: true, account, live: false })).toEqual(CASES)
    expect(names({ survives: true, live: false })).toEqual([CASES[2]])
  })
})
