import type { MessagePort } from 'node:worker_threads'
import { onTestFinished, vi } from 'vitest'
import type { Service } from './service.js'

/** What `/sdk.js` exports, as the service documents it. */
export interface Sdk {
  readonly Client: new (options: { readonly type: 'payment'; readonly publicApiKey: string }) => {
    readonly cardForm: CardForm
  }
}

interface CardForm {
  mount(element: unknown): Promise<void>
  unmount(): void
  collect(): Promise<{ readonly id: string; readonly brand: string; readonly lastFour: string }>
  pay(options: { readonly intentId: string; readonly saveCard?: boolean }): Promise<Outcome>
  createCardToken(options: {
    readonly cardData: { readonly id: string }
    readonly cardIntentId: string
  }): Promise<Outcome>
}

interface Outcome {
  readonly state: string
  readonly stateDetails: { readonly failure: string | null; readonly cardToken: string | null }
}

/** What a customer does in the frame of the card form. */
export interface Customer {
  readonly card: string
  readonly challenge?: 'pass' | 'fail'
}

/** The parts of a page that the SDK uses. */
class PageElement {
  readonly style = {}
  readonly contentWindow = {
    postMessage: ({ publicApiKey }: { publicApiKey: string }, _origin: string, [port]: [MessagePort]) => {
      port.on('message', ({ id, call }: { id: number; call: Call }) => {
        void this.#frame(call, publicApiKey).then(
          (value) => {
            port.postMessage({ id, value })
          },
          (error: unknown) => {
            port.postMessage({ id, error: { message: (error as Error).message } })
          },
        )
      })
    },
  }
  readonly #frame: Frame

  constructor(frame: Frame) {
    this.#frame = frame
  }

  addEventListener(_type: 'load', resolve: () => void): void {
    resolve()
  }

  append(): void {
    // Nothing is shown.
  }

  remove(): void {
    // Nothing is shown.
  }
}

type Call = 'collect' | 'clear' | 'challenge'

type Frame = (call: Call, publicApiKey: string) => Promise<unknown>

/**
 * Loads `/sdk.js` of a running sandbox, and mounts its card form in a page of which only the frame is simulated: it sends the card
 * to the vault as `card-form.js` does. In a browser the SDK is tested by `sdk.browser.test.ts`.
 */
export async function sdkInNode(
  service: Service,
  customer: Customer,
  publicApiKey = service.sandbox.apiKeys.public,
) {
  const { url } = service.sandbox
  let isFilled = true
  const frame: Frame = async (call, key) => {
    if (call === 'challenge') return customer.challenge
    if (call === 'clear') return void (isFilled = false)
    if (!isFilled) throw new Error('The card form is not complete')
    const body = { card: customer.card, expiry: '12/34', cvv: '123', holder: 'Jane Doe' }
    const { data } = await service.post('/vault/cards/', body, key)
    return { id: data.id, brand: data['brand'], lastFour: data['last_four'] }
  }
  vi.stubGlobal('Element', PageElement)
  vi.stubGlobal('document', { createElement: () => new PageElement(frame) })
  const source = await (await fetch(`${url}/sdk.js`)).text()
  // The module derives the address of the vault from its own, which Node cannot load from.
  const code = source.replace('import.meta.url', JSON.stringify(`${url}/sdk.js`))
  const module = `data:text/javascript,${encodeURIComponent(code)}`
  const { Client } = (await import(/* @vite-ignore */ module)) as Sdk
  const client = new Client({ type: 'payment', publicApiKey })
  await client.cardForm.mount(new PageElement(frame))
  onTestFinished(() => {
    client.cardForm.unmount()
    vi.unstubAllGlobals()
  })
  return client.cardForm
}
