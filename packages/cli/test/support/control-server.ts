import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { serve } from '../../../../sandbox/test/support/serve.js'

const TEMPLATES = [
  {
    name: 'purchase-successful',
    title: 'A successful purchase',
    group: 'Events',
    type: 'transaction.purchase.successful',
    payload: { type: 'transaction.purchase.successful', intent: { amount: { value: 10, currency: 'EUR' } } },
  },
  {
    name: 'unknown-family',
    title: 'An unknown family',
    group: 'Unknown',
    type: 'dispute.opened',
    payload: {},
  },
]

interface FakeAttempt {
  readonly status?: number
  readonly error?: string
  readonly faults?: readonly string[]
  readonly body?: string
  readonly cause?: object
}

/** As much of the control API as `trigger` uses, so that a test decides what happens when. It ends with the test. */
export class ControlServer {
  readonly url: string
  /** The bodies of the requests to compose. */
  readonly composed: unknown[] = []
  /** The ids that compose answers with. */
  ids: readonly string[] = ['dlv_1']
  templates: readonly object[] = TEMPLATES
  /** Fields of each delivery. */
  fields: object = {}
  /** Called after each answer, with the path below `/_sandbox/`. */
  afterAnswer: (path: string) => void = () => undefined
  /** Answers compose with this refusal. */
  refusal: object | undefined
  readonly #attempts = new Map<string, readonly FakeAttempt[]>()
  #stream: ServerResponse | undefined

  private constructor(url: string) {
    this.url = url
  }

  static async start(): Promise<ControlServer> {
    const server = createServer((request, response) => void control.#answer(request, response))
    const control = new ControlServer(await serve(server))
    return control
  }

  /** The endpoint answers to an attempt of a delivery, which is not announced yet. */
  attempt(id: string, made: FakeAttempt): void {
    this.#attempts.set(id, [...(this.#attempts.get(id) ?? []), made])
  }

  announce(text: string): void {
    this.#stream!.write(text)
  }

  end(): void {
    this.#stream!.end()
  }

  breakOff(): void {
    this.#stream!.destroy()
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url!.replace('/_sandbox/', '')
    response.once('finish', () => {
      this.afterAnswer(path)
    })
    if (path === 'stream') {
      this.#stream = response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      response.write(': listening\n\n')
    } else if (path === 'templates/') {
      answer(response, 200, this.templates)
    } else if (path === 'compose/') {
      this.composed.push(await json(request))
      if (this.refusal !== undefined) {
        response.writeHead(400).end(JSON.stringify({ status: this.refusal, data: null }))
        return
      }
      answer(response, 200, { deliveries: this.ids.map((id) => ({ id })) })
    } else {
      const id = path.split('/')[1]!
      const attempts = (this.#attempts.get(id) ?? []).map(
        ({ status, error, faults = [], body = '{"type":"dispute.opened"}', cause = null }) => ({
          at: '2025-03-27T15:41:20.371000Z',
          faults,
          body,
          answer: status === undefined ? null : { status },
          error: error ?? null,
          duration_ms: 12,
          cause,
        }),
      )
      answer(response, 200, { id, type: 'intent.processed', attempts, ...this.fields })
    }
  }
}

function answer(response: ServerResponse, status: number, data: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify({ status: { code: status, message: 'OK', errors: [] }, data }))
}
