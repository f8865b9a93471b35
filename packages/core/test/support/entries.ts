import * as node from '../../src/index.js'
import * as web from '../../src/index.web.js'

/** Both entries of core, by the digest that they hand to the verifier. What holds of one holds of the other. */
export const entries: readonly ({ digest: string } & Pick<
  typeof web,
  'createVerifier' | 'deliveryKey' | 'fingerprint' | 'verify' | 'verifySignature'
>)[] = [
  { digest: 'node:crypto', ...node },
  { digest: 'Web Crypto', ...web },
]
