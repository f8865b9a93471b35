import type { Verdict } from '../evaluate-case.js'
import { make } from './dom.js'

/** The verdict in a sentence. Screen readers read it when it changes. */
export class VerdictView {
  readonly element = make('div', { class: 'verdict', role: 'status' })

  show({ outcome, sentence, code, status }: Verdict): void {
    this.element.dataset['outcome'] = outcome
    const answer = status === undefined ? code : `${code ?? ''}, HTTP ${status}`
    this.element.replaceChildren(
      make('p', { class: 'sentence' }, sentence),
      ...(answer === undefined ? [] : [make('p', { class: 'mono' }, answer)]),
    )
  }
}
