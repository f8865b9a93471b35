/**
 * The custom element `<signature-playground>`. To import this module defines it.
 *
 * @module
 */
import { SignaturePlayground } from './element/signature-playground.js'

export { SignaturePlayground } from './element/signature-playground.js'
export type { Evaluation, Verdict } from './evaluate-case.js'
export type { PlaygroundCase, ReceivedAt } from './playground-case.js'

declare global {
  interface HTMLElementTagNameMap {
    'signature-playground': SignaturePlayground
  }
}

// A page may load the module twice, by two addresses.
if (customElements.get('signature-playground') === undefined) {
  customElements.define('signature-playground', SignaturePlayground)
}
