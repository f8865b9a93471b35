import * as core from '@service-signature/core'

const SECRET = 'test_signature_key'
const [v3, v2] = ['v3', 'v2'].map((version) => core.createVerifier({ secret: SECRET, versions: [version] }))

/**
 * Does one thing many times, for the bench: a runtime such as workerd stops its clock while it computes, so the time is taken
 * outside.
 *
 * - `POST /work?times=50` verifies the body and its header, and returns how often it was accepted
 * - `POST /work?times=50&digest` hashes the body by Web Crypto
 */
export async function work(request, query) {
  const body = new Uint8Array(await request.arrayBuffer())
  const header = request.headers.get('Service-Signature')
  const verifier = header?.includes('v2=') ? v2 : v3
  const isDigest = query.has('digest')
  let accepted = 0
  for (let left = Number(query.get('times')); left > 0; left--) {
    if (isDigest) await crypto.subtle.digest('SHA-256', body)
    else accepted += await accept(verifier, body, header)
  }
  return Response.json({ accepted })
}

async function accept(verifier, body, header) {
  try {
    // The entry for the web has no functions without a promise.
    if ('verifySync' in core) verifier.verifySignatureSync(body, header)
    else await verifier.verifySignature(body, header)
    return 1
  } catch (error) {
    if (error.code === 'ERR_SIGNATURE_MISMATCH') return 0
    throw error
  }
}
