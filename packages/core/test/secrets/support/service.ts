import { inspect } from 'node:util'
import { expect, onTestFinished, vi } from 'vitest'
import { fetchSecret, type FetchedSecretSource } from '../../../src/secrets/fetch-secret.js'
import type { FetchFunction, FetchSecretOptions } from '../../../src/secrets/fetch-secret-options.js'

export const SECRET = 'whsec_of_the_organization'
export const NEW_SECRET = 'whsec_after_the_rotation'
export const API_KEY = 'key_of_the_account'
/** Thu, 27 Mar 2025 15:41:20 GMT */
export const START = 1_743_090_080_000

export type Answer = () => Response | Promise<Response>

/** The payment service, in place of the network. */
export class Service {
  readonly requests: { readonly url: string; readonly init: Parameters<FetchFunction>[1] }[] = []
  #answers: readonly Answer[]

  constructor(...answers: readonly Answer[]) {
    this.#answers = answers
  }

  /** One answer for each request from now on, the last of them for all that follow. */
  answerWith(...answers: readonly Answer[]): void {
    this.#answers = answers
  }

  readonly fetch: FetchFunction = async (url, init) => {
    this.requests.push({ url, init })
    const [answer, ...rest] = this.#answers
    if (rest.length > 0) this.#answers = rest
    return answer!()
  }
}

export interface TestSource {
  readonly source: FetchedSecretSource
  readonly service: Service
  /** Moves the clock forward, or back. */
  readonly pass: (seconds: number) => void
  readonly now: () => number
}

/** A source with a stopped clock, and a service that gives these answers. */
export function createTestSource(
  options: Partial<FetchSecretOptions>,
  ...answers: readonly Answer[]
): TestSource {
  let time = START
  const now = () => time
  const service = new Service(...answers)
  const source = fetchSecret({
    baseUrl: 'https://api.example.com',
    apiKey: API_KEY,
    now,
    fetch: service.fetch,
    ...options,
  })
  const pass = (seconds: number) => {
    time += seconds * 1000
  }
  return { source, service, pass, now }
}

/** A source that has fetched SECRET; its next calls get the other answers. */
export async function createPrimedSource(
  options: Partial<FetchSecretOptions>,
  ...answers: readonly Answer[]
): Promise<TestSource> {
  const test = createTestSource(options, secretAnswer(), ...answers)
  await test.source.prime()
  expect(test.service.requests).toHaveLength(1)
  return test
}

/** The answer with the secret. */
export function secretAnswer(secret: unknown = SECRET): Answer {
  return json({
    status: { code: 200, message: 'OK', errors: [] },
    data: { webhook_signature_secret: secret },
    count: 1,
    next: null,
    previous: null,
  })
}

export function json(value: unknown): Answer {
  return text(JSON.stringify(value))
}

export function text(body: string | Uint8Array<ArrayBuffer>): Answer {
  return () => new Response(body)
}

/** A refusal, in the envelope of the service. There is a secret in it, which must not appear anywhere. */
export function status(code: number, headers: Record<string, string> = {}): Answer {
  const body = JSON.stringify({ status: { code, message: SECRET, errors: [] }, data: null })
  return () => new Response(code === 204 ? null : body, { status: code, headers })
}

export function broken(error: unknown = new Error('the network is gone')): Answer {
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a fetch may reject with anything
  return () => Promise.reject(error)
}

/** No answer, and no notice of the signal either. */
export function hang(): Promise<never> {
  return new Promise(() => undefined)
}

/** An answer that waits until the test gives it. */
export function held(): { readonly answer: Answer; readonly give: (answer: Answer) => void } {
  let give!: (answer: Answer) => void
  const given = new Promise<Answer>((resolve) => {
    give = resolve
  })
  return { answer: async () => (await given)(), give }
}

/** Lets all promises that can settle do so. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

export interface Timeout {
  readonly milliseconds: number
  readonly elapse: () => void
}

/** Takes the time out of `AbortSignal.timeout` until the end of the test: the test decides when a time-out elapses. */
export function holdTimeouts(): { readonly next: () => Promise<Timeout> } {
  const timeouts: Timeout[] = []
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    const controller = new AbortController()
    timeouts.push({
      milliseconds,
      elapse: () => {
        controller.abort()
      },
    })
    return controller.signal
  })
  onTestFinished(() => {
    spy.mockRestore()
  })
  return {
    async next() {
      while (timeouts.length === 0) await settled()
      return timeouts.shift()!
    },
  }
}

export interface Refusal extends Error {
  readonly retryAfterSeconds: number
  readonly retryable: boolean
}

/** The error that a promise is rejected with: one of the package, which shows no key. */
export async function refusalOf(promise: Promise<unknown>): Promise<Refusal> {
  const error: unknown = await promise.then(
    () => expect.fail('it was not refused'),
    (reason: unknown) => reason,
  )
  expect(error).toHaveProperty('name', 'SecretFetchError')
  expect(error).toHaveProperty('retryAfterSeconds', expect.any(Number))
  expectNoKeys(error)
  return error as Refusal
}

/** Looks everywhere that a log, a debugger or a serializer looks. */
export function expectNoKeys(value: unknown, ...keys: readonly string[]): void {
  const seen = [
    inspect(value, { depth: Infinity, showHidden: true, getters: true }),
    inspect(value, { depth: Infinity, showHidden: true }),
    JSON.stringify(value),
    String(value),
  ].join('\n')
  for (const key of [API_KEY, SECRET, NEW_SECRET, ...keys]) expect(seen).not.toContain(key)
}
