/**
 * The contestants over this body, ready to be timed: each has just accepted it, and refused it with one character
 * changed. Who verifies nothing is fast.
 *
 * @param {Record<string, (body: Buffer) => (bytes: Buffer) => unknown>} contestants
 * @param {Buffer} body
 * @returns {Promise<Record<string, () => unknown>>}
 */
export async function checked(contestants, body) {
  const tampered = tamper(body)
  /** @type {Record<string, () => unknown>} */
  const ready = {}
  for (const [name, make] of Object.entries(contestants)) {
    const verify = make(body)
    if (!(await accepts(verify, body))) throw new Error(`${name} refuses a genuine body`)
    if (await accepts(verify, tampered)) throw new Error(`${name} accepts a tampered body`)
    ready[name] = () => verify(body)
  }
  return ready
}

/** Still JSON: it is the signature that has to notice. */
export function tamper(body) {
  const tampered = Buffer.from(body.toString().replace('EUR', 'USD'))
  if (tampered.equals(body)) throw new Error('the body has no currency to change')
  return tampered
}

/** Some throw, and some say false. */
async function accepts(verify, bytes) {
  try {
    return (await verify(bytes)) !== false
  } catch {
    return false
  }
}
