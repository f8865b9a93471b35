import { expect, onTestFinished } from 'vitest'
import { systemClock, type Clock } from '../../server/store/clock.js'
import {
  manualClock,
  startSandbox,
  type ManualClock,
  type Sandbox,
  type SandboxOptions,
} from '../../server/index.js'
import { Endpoint } from './endpoint.js'
import { Document, type OpenApi } from './openapi.js'

/** What an answer has in its envelope. */
export interface Answer {
  readonly code: number
  readonly headers: Headers
  readonly text: string
  readonly status: { readonly code: number; readonly message: string; readonly errors: readonly object[] }
  readonly data: Data
  readonly list: readonly Data[]
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
}

/** The fields that tests look at, of whatever resource. */
export interface Data {
  readonly id: string
  readonly status: string
  readonly embed_url: string | null
  readonly failure: string | null
  readonly card_token?: string
  readonly card_token_type: string
  readonly provider: string | null
  readonly name: string
  readonly api_key: string
  readonly public_api_key: string
  readonly is_revoked: boolean
  readonly webhook_signature_secret: string
  readonly is_live: boolean
  readonly customer: string
  readonly saved_cards: readonly Data[]
  readonly transactions: readonly { readonly status: string; readonly provider: string }[]
  readonly body: string
  readonly attempts: readonly AttemptData[]
  readonly next_attempt_at: string | null
  readonly [name: string]: unknown
}

export interface AttemptData {
  readonly at: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly faults: readonly string[]
  readonly answer: { readonly status: number; readonly body: string } | null
  readonly error: string | null
}

export interface CallOptions {
  readonly key?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Text or bytes are sent as they are. */
  readonly body?: unknown
  /** For what is not in the OpenAPI document: paths that are not there, and methods that a path does not have. */
  readonly isUnlisted?: boolean
}

interface CardOptions {
  readonly card?: string
  readonly type?: string
  readonly provider?: string
  readonly key?: string
}

/** A sandbox that the tests of a process use in turn, each with a clock and a log of its own. */
interface Shared {
  readonly sandbox: Sandbox
  readonly document: Document
  clock: Clock
  lines: string[]
}

/** Those that no test uses now. To reset one takes far less time than to start one. */
const unused: Shared[] = []

const documents = new Map<string, Document>()

/** A sandbox for the running test, and calls to it. Every answer is compared with the OpenAPI document. */
export class Service {
  readonly sandbox: Sandbox
  readonly clock: ManualClock
  readonly document: Document
  readonly lines: string[]

  private constructor(sandbox: Sandbox, clock: ManualClock, document: Document, lines: string[]) {
    this.sandbox = sandbox
    this.clock = clock
    this.document = document
    this.lines = lines
  }

  /** A sandbox as it is after its start. A test that passes options gets a new one. */
  static async start(
    options: SandboxOptions = {},
    time: 'manual clock' | 'real time' = 'manual clock',
  ): Promise<Service> {
    const clock = manualClock()
    const lines: string[] = []
    const isShared = Object.keys(options).length === 0
    const shared = (isShared ? unused.pop() : undefined) ?? (await startShared(options))
    shared.clock = time === 'manual clock' ? clock : systemClock
    shared.lines = lines
    let isClosed = false
    const sandbox = Object.create(shared.sandbox, {
      close: {
        value: () => {
          isClosed = true
          return shared.sandbox.close()
        },
      },
    }) as Sandbox
    // Keys, ids and times are those of a start under the clock of this test.
    sandbox.reset()
    onTestFinished(async () => {
      if (isShared && !isClosed) {
        sandbox.reset()
        unused.push(shared)
      } else await sandbox.close()
    })
    return new Service(sandbox, clock, shared.document, lines)
  }

  /** A sandbox that keeps its state in a folder, as an earlier one has left it. */
  static async inFolder(
    dataFolder: string,
    options: SandboxOptions = {},
    clock: ManualClock = manualClock(),
  ): Promise<Service> {
    const { sandbox, document, lines } = await startShared({ dataFolder, clock, ...options })
    let closing: Promise<void> | undefined
    const closedOnce = Object.create(sandbox, {
      close: { value: () => (closing ??= sandbox.close()) },
    }) as Sandbox
    onTestFinished(() => closedOnce.close())
    return new Service(closedOnce, clock, document, lines)
  }

  async call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const { body, headers = {}, isUnlisted = false } = options
    const key = 'key' in options ? options.key : this.sandbox.apiKeys.account
    const isRaw = typeof body === 'string' || body instanceof Uint8Array
    const response = await fetch(this.sandbox.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...authorization(this),
        ...(key !== undefined && { 'X-Api-Key': key }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isRaw ? (body as string) : JSON.stringify(body) }),
    })
    const text = await response.text()
    const envelope = JSON.parse(text) as Omit<Answer, 'list'>
    const pathname = path.split('?', 1)[0]!
    if (!isUnlisted) {
      const type = response.headers.get('content-type')!
      this.document.check(method, pathname, response.status, type, envelope)
    }
    if (pathname !== '/openapi.json') expect(envelope.status.code).toBe(response.status)
    const list = envelope.data as unknown as readonly Data[]
    return { ...envelope, list, text, code: response.status, headers: response.headers }
  }

  post(path: string, body?: unknown, key?: string): Promise<Answer> {
    return this.call('POST', path, { ...(body !== undefined && { body }), ...(key !== undefined && { key }) })
  }

  get(path: string, key?: string): Promise<Answer> {
    return this.call('GET', path, { ...(key !== undefined && { key }) })
  }

  /** The key of the organization, put together for an account and a mode. */
  composite(isLive: boolean, accountId = this.sandbox.accountId): string {
    return `${this.sandbox.apiKeys.organization},${accountId},${isLive}`
  }

  async customer(details: object = {}, key?: string): Promise<string> {
    return (await this.post(CUSTOMERS, details, key)).data.id
  }

  /** Ten euros, unless told otherwise. */
  async intent(fields: object = {}, key?: string): Promise<Answer> {
    return this.post(INTENTS, { amount: 10, amount_currency: 'EUR', operation: 'purchase', ...fields }, key)
  }

  pay(id: string, body: object = { card: CARD }): Promise<Answer> {
    return this.post(`/_sandbox/intents/${id}/pay/`, body)
  }

  /** An intent whose events go to an address, and which is paid. The answer does not wait for the endpoint. */
  async order(url: string, { card = CARD, ...fields }: { card?: string; [field: string]: unknown } = {}) {
    const { id } = (await this.intent({ webhook_url: url, ...fields })).data
    await this.pay(id, { card })
    return id
  }

  /** The same, once no attempt is running. Returns all deliveries, oldest first. */
  async sent(url: string, options: Parameters<Service['order']>[1] = {}): Promise<readonly Data[]> {
    await this.order(url, options)
    await this.sandbox.idle()
    return this.deliveries()
  }

  /** Sends an event that no payment sends. The answer does not wait for the endpoint. */
  async compose(body: object): Promise<readonly Data[]> {
    const { code, data, status } = await this.post('/_sandbox/compose/', body)
    expect(code, JSON.stringify(status)).toBe(200)
    return data['deliveries'] as readonly Data[]
  }

  /** A card that is saved for a customer. */
  async savedCard(
    customer: string,
    { card = CARD, type = 'UNIVERSAL', provider, key }: CardOptions = {},
  ): Promise<string> {
    const body = { customer, card_token_type: type, provider }
    const { id } = (await this.post(CARD_TOKENS, body, key)).data
    return (await this.pay(id, { card, cvv: '123', challenge: 'pass' })).data.card_token!
  }

  /** Expects that a call is refused, with these problems if any are given, and that nothing came of it: no record, no delivery. */
  async refuses(call: () => Promise<Answer>, code: number, ...problems: readonly object[]): Promise<Answer> {
    await this.sandbox.idle()
    const before = await this.state()
    const answer = await call()
    expect(answer).toMatchObject({ code, ...(problems.length > 0 && { status: { errors: problems } }) })
    await this.sandbox.idle()
    expect(await this.state()).toEqual(before)
    return answer
  }

  /** What the sandbox has: the overview, and each list, oldest first. */
  async state(): Promise<Readonly<Record<string, readonly Data[]>>> {
    const { data } = await this.get('/_sandbox/overview/')
    const names = ['customers', 'card-tokens', 'card-token-intents', 'intents', 'agreements', 'deliveries']
    const lists = names.map(async (name) => {
      const { list } = await this.get(`/_sandbox/newest/${name}/?limit=500`)
      return [name.replaceAll('-', '_'), [...list].reverse()] as const
    })
    return { ...(data as object), ...Object.fromEntries(await Promise.all(lists)) }
  }

  /** Another account, with its keys. */
  async account(name: string): Promise<Data> {
    return (await this.post(ACCOUNTS, { name }, this.sandbox.apiKeys.organization)).data
  }

  /** The agreements of test mode that a provider covers. */
  async coveredBy(id: string): Promise<unknown> {
    return (await this.get('/api/v1.4/providers/')).list.find((provider) => provider.id === id)!['agreements']
  }

  async faults(body: object): Promise<void> {
    expect((await this.call('PUT', '/_sandbox/faults/', { body })).code).toBe(200)
  }

  /** All deliveries, oldest first. */
  async deliveries(): Promise<readonly Data[]> {
    const { list } = await this.get('/_sandbox/newest/deliveries/?limit=500')
    return Promise.all([...list].reverse().map(({ id }) => this.delivery(id)))
  }

  async delivery(id: string): Promise<Data> {
    return (await this.get(`/_sandbox/deliveries/${id}/`)).data
  }

  /** Makes one attempt more. The answer waits for the endpoint. */
  resend(id: string, forgeries?: object): Promise<Answer> {
    return this.post(`/_sandbox/deliveries/${id}/resend/`, forgeries)
  }

  /** Lets time pass, and waits until no attempt is running. */
  async pass(milliseconds: number): Promise<void> {
    this.clock.advance(milliseconds)
    await this.sandbox.idle()
  }

  setDefaultEndpoint(url: unknown): Promise<Answer> {
    return this.call('PUT', '/_sandbox/settings/', { body: { default_endpoint: url } })
  }
}

/** A sandbox, and an endpoint of a merchant. */
export async function startWithEndpoint(...options: Parameters<typeof Service.start>) {
  return { service: await Service.start(...options), endpoint: await Endpoint.start() }
}

/** The header with the token of a sandbox that has one. */
export function authorization({ sandbox: { token } }: Service): Record<string, string> {
  return token === undefined ? {} : { Authorization: `Bearer ${token}` }
}

async function startShared(options: SandboxOptions): Promise<Shared> {
  const held: { clock: Clock; lines: string[] } = { clock: systemClock, lines: [] }
  const sandbox = await startSandbox({
    seed: 'test',
    clock: {
      now: () => held.clock.now(),
      after: (milliseconds, callback) => held.clock.after(milliseconds, callback),
    },
    logger: (line) => held.lines.push(line),
    ...options,
  })
  const text = await (await fetch(`${sandbox.url}/openapi.json`)).text()
  // The document is the same each time, and compiling it takes longer than a test.
  const document = documents.get(text) ?? new Document(JSON.parse(text) as OpenApi)
  documents.set(text, document)
  return Object.assign(held, { sandbox, document })
}

export const INTENTS = '/api/v1.4/payments/intent/'
export const CUSTOMERS = '/api/v1.4/customers/'
export const CARD_TOKENS = '/api/v1.4/tokens/cards/'
export const ACCOUNTS = '/api/v1.4/accounts/'
export const SIGNATURE_KEY = '/api/v1/organizations/get-webhook-signature-key/'

/** Its name in every event. */
export const PAYMENT_METHOD = 'Credit card \u2013 Visa, Mastercard'

export const CARD = '4242424242424242'
export const DECLINED = '4000000000000002'
export const DECLINED_WHEN_SAVED = '4000000000000341'
export const NEEDS_CVV = '4000000000000127'
export const CHALLENGED = '4000000000003220'
export const CHALLENGED_AND_DECLINED = '4000008400001629'

/** In the order of the list in the README. */
export const PUBLISHED_CARDS = [
  CARD,
  '5555555555554444',
  '378282246310005',
  DECLINED,
  '4000000000009995',
  DECLINED_WHEN_SAVED,
  NEEDS_CVV,
  CHALLENGED,
  CHALLENGED_AND_DECLINED,
]
