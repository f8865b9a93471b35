import { evaluateCase, type Evaluation } from '../evaluate-case.js'
import { EXAMPLES } from '../examples.js'
import { completeCase, type CompleteCase, type PlaygroundCase } from '../playground-case.js'
import { caseIn, isSharedCase } from '../share-address.js'
import { digestsView } from './digests-view.js'
import { keepOpen, make } from './dom.js'
import { eventView } from './event-view.js'
import { findingsView } from './findings-view.js'
import { headerView } from './header-view.js'
import { InputForm } from './input-form.js'
import { LoadPanel, type LoadRequest } from './load-panel.js'
import { SharePanel } from './share-panel.js'
import { styleSheet } from './styles/style-sheet.js'
import { VerdictView } from './verdict-view.js'

/** So long typing must pause before what is entered is verified. */
const TYPING_PAUSE_MILLISECONDS = 150

const SHARED =
  'This case is from the address of this page. An address never contains keys: enter the secret to verify it.'

const INSECURE = 'Browsers compute digests only on pages that are served over https, or from localhost.'

/**
 * `<signature-playground>`: verifies a delivery in the browser, shows how each digest is made, and explains why it does not
 * verify. It sends no requests.
 */
export class SignaturePlayground extends HTMLElement {
  readonly #loading = new LoadPanel()
  readonly #sharing = new SharePanel()
  readonly #inputs = new InputForm()
  readonly #verdict = new VerdictView()
  readonly #notice = make('p', { class: 'notice', role: 'status' })
  /** Why it does not verify: above the inputs, next to the verdict. */
  readonly #why = make('div', { class: 'results why' })
  readonly #results = make('div', { class: 'results' })
  #hasCase = false
  /** The newest evaluation; one that is finished later is dropped. */
  #newest = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor() {
    super()
    const root = this.attachShadow({ mode: 'open' })
    root.adoptedStyleSheets = [styleSheet()]
    const tools = make('div', { class: 'tools' }, this.#loading.element, this.#sharing.element, this.#notice)
    root.append(
      make(
        'div',
        { class: 'playground' },
        tools,
        this.#verdict.element,
        this.#why,
        this.#inputs.element,
        this.#results,
      ),
    )
    this.#inputs.element.addEventListener('input', () => {
      this.#edited()
    })
    this.#loading.element.addEventListener('load-case', (event) => {
      void this.#load((event as CustomEvent<LoadRequest>).detail)
    })
  }

  connectedCallback(): void {
    if (!isSecureContext) {
      this.#verdict.show({ outcome: 'incomplete', sentence: INSECURE })
      return
    }
    window.addEventListener('hashchange', this.#openAddress)
    if (!this.#hasCase) void this.#start()
  }

  disconnectedCallback(): void {
    window.removeEventListener('hashchange', this.#openAddress)
    clearTimeout(this.#timer)
  }

  /**
   * Shows a case and verifies it. What is missing is empty, or has its default.
   *
   * @example
   * document.querySelector('signature-playground').setCase({ header, body, secret })
   *
   * @throws {TypeError} on a field that is unknown or of the wrong type
   * @throws {RangeError} on a number out of bounds
   */
  setCase(given: PlaygroundCase): Promise<Evaluation> {
    const complete = completeCase(given)
    this.#hasCase = true
    this.#loading.forgetExample()
    this.#notice.textContent = ''
    this.#inputs.show(complete)
    return this.#evaluate(complete)
  }

  /** The case of the address of the page, or the first example. */
  async #start(): Promise<void> {
    if (isSharedCase(location.hash)) await this.#openShared()
    else await this.#showFirstExample()
  }

  readonly #openAddress = (): void => {
    if (isSharedCase(location.hash)) void this.#openShared()
  }

  async #openShared(): Promise<void> {
    try {
      const given = await caseIn(location.hash)
      await this.setCase(given)
      this.#notice.textContent = SHARED
      this.#inputs.focusSecret()
    } catch (error) {
      await this.#showFirstExample()
      this.#notice.textContent = (error as Error).message
    }
  }

  async #showFirstExample(): Promise<void> {
    const [{ id, given }] = EXAMPLES as readonly [(typeof EXAMPLES)[number]]
    const evaluation = this.setCase(given)
    this.#loading.showExample(id)
    await evaluation
  }

  async #load({ given, keepsKeys, message, example }: LoadRequest): Promise<void> {
    const entered = keepsKeys ? this.#inputs.read() : undefined
    const evaluation = this.setCase(entered === undefined ? given : { ...keysAndRules(entered), ...given })
    if (example !== undefined) this.#loading.showExample(example)
    this.#notice.textContent = message
    await evaluation
  }

  #edited(): void {
    this.#loading.forgetExample()
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      const given = this.#inputs.read()
      if (given !== undefined) void this.#evaluate(given)
      else this.#showWrongField()
    }, TYPING_PAUSE_MILLISECONDS)
  }

  #showWrongField(): void {
    this.#newest++
    this.#sharing.show(undefined)
    this.#verdict.show({ outcome: 'incomplete', sentence: 'A field is wrong: correct it first.' })
    this.#why.replaceChildren()
    this.#results.replaceChildren()
  }

  async #evaluate(given: CompleteCase): Promise<Evaluation> {
    clearTimeout(this.#timer)
    const number = ++this.#newest
    this.#results.setAttribute('aria-busy', 'true')
    this.#sharing.show(given)
    const evaluation = await evaluateCase(given, Date.now())
    if (number === this.#newest) this.#show(given, evaluation)
    return evaluation
  }

  #show(given: CompleteCase, { verdict, report, header, versions, event }: Evaluation): void {
    this.#verdict.show(verdict)
    const isVerified = verdict.outcome === 'verified'
    const isWrong = report !== undefined && !report.ok
    const findings = report && findingsView(report)
    const why = make('div', {}, isWrong ? findings : undefined)
    const fresh = make(
      'div',
      {},
      isWrong ? undefined : findings,
      headerView(header),
      digestsView(versions, given.body, header.timestamp),
      eventView(event, isVerified),
    )
    keepOpen(this.#why, why)
    keepOpen(this.#results, fresh)
    this.#why.replaceChildren(...why.childNodes)
    this.#results.replaceChildren(...fresh.childNodes)
    this.#results.setAttribute('aria-busy', 'false')
  }
}

function keysAndRules(entered: CompleteCase): PlaygroundCase {
  const { secrets, apiKeys, versions, toleranceSeconds, futureToleranceSeconds } = entered
  return { secret: secrets, apiKey: apiKeys, versions, toleranceSeconds, futureToleranceSeconds }
}
