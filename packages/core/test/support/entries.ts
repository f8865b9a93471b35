import * as node from '../../src/index.js'
import * as web from '../../src/index.web.js'
import type { Verifier, VerifierOptions } from '../../src/index.web.js'

/** Both entries of core, by the digest that they hand to the verifier. What holds of one holds of the other. */
export const entries: readonly { digest: string; createVerifier: (options: VerifierOptions) => Verifier }[] =
  [
    { digest: 'node:crypto', createVerifier: node.createVerifier },
    { digest: 'Web Crypto', createVerifier: web.createVerifier },
  ]
