import { createVerifier } from '@service-signature/core'
import { v2Header } from './recipe.js'
import { SECRET, v3Header } from './signing.js'

const verifier = createVerifier({ secret: SECRET })
const v2Verifier = createVerifier({ secret: SECRET, versions: ['v2'] })

export const ours = {
  /** @param {Buffer} body */
  signature(body) {
    const header = v3Header(body)
    return (bytes) => verifier.verifySignatureSync(bytes, header)
  },

  /** @param {Buffer} body */
  signatureAsync(body) {
    const header = v3Header(body)
    return (bytes) => verifier.verifySignature(bytes, header)
  },

  /**
   * What the peers do: they do not look at what kind of event it is.
   *
   * @param {Buffer} body
   */
  signatureAndParse(body) {
    const verify = ours.signature(body)
    return (bytes) => {
      verify(bytes)
      return JSON.parse(bytes.toString())
    }
  },

  /** @param {Buffer} body */
  full(body) {
    const header = v3Header(body)
    return (bytes) => verifier.verifySync(bytes, header)
  },

  /** @param {Buffer} body */
  fullAsync(body) {
    const header = v3Header(body)
    return (bytes) => verifier.verify(bytes, header)
  },

  /** @param {Buffer} body */
  v2(body) {
    const header = v2Header(body)
    return (bytes) => v2Verifier.verifySignatureSync(bytes, header)
  },
}
