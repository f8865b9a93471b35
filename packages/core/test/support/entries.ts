import * as node from '../../src/entries/index.js'
import * as web from '../../src/entries/index.web.js'

/** Both entries of core, by the digest that they pass to the verifier. They must behave alike. */
export const entries: readonly ({ digest: string } & Pick<
  typeof web,
  'createVerifier' | 'deliveryKey' | 'fingerprint' | 'verify' | 'verifySignature'
>)[] = [
  { digest: 'node:crypto', ...node },
  { digest: 'Web Crypto', ...web },
]
