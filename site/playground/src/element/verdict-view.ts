import type { Verdict } from '../evaluate-case.js'
import { make } from './dom.js'

/** The verdict in a sentence. Screen readers read it when it changes. */
export class VerdictView {
  readonly element = make('div', { class: 'verdict', role: 'status' })

  /** With a remark, which comes first, a delivery that verifies is not shown as if all were well. */
  show({ outcome, sentence, code, status }: Verdict, remark?: string): void {
    this.element.dataset['outcome'] = remark !== undefined && outcome === 'verified' ? 'remarked' : outcome
    const answer = status === undefined ? code : `${code ?? ''}, HTTP ${status}`
    this.element.replaceChildren(
      ...(remark === undefined ? [] : [make('p', { class: 'sentence' }, remark)]),
      make('p', remark === undefined ? { class: 'sentence' } : {}, sentence),
      ...(answer === undefined ? [] : [make('p', { class: 'mono' }, answer)]),
    )
  }
}
