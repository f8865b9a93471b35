/** An answer of the service that is no success, in words. */
export class Refused extends Error {}

export const get = (path) => call('GET', path)

export const send = (method, path, body, key) => call(method, path, body, key)

async function call(method, path, body, key) {
  let response
  try {
    response = await fetch(path, {
      method,
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(key !== undefined && { 'X-Api-Key': key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  } catch {
    throw new Refused('The sandbox does not answer. Is it still running?')
  }
  const envelope = await response.json()
  if (!response.ok) throw new Refused(sentence(envelope.status))
  return envelope
}

function sentence({ message, errors }) {
  const problems = errors.flatMap((error) => Object.entries(error).map((pair) => pair.join(' ')))
  return problems.length === 0 ? `${message}.` : `${message}: ${problems.join(', ')}.`
}

/**
 * Runs one at a time. Calls that come while it runs are answered by one more run, so a flood of changes is no flood of
 * requests. What is refused is left as it was: the next change, or the next connection, tries again.
 */
export function coalesced(run) {
  let current
  let following
  const start = async () => {
    try {
      await run()
    } catch (error) {
      if (!(error instanceof Refused)) throw error
    } finally {
      current = undefined
    }
  }
  return () => {
    if (current === undefined) return (current = start())
    following ??= current.then(() => {
      following = undefined
      return (current = start())
    })
    return following
  }
}
