/** @typedef {{ readonly id: string, readonly api_key: string }} Data what is read of any answer */

/**
 * Calls to the API of a sandbox, with the key of its account unless another is given.
 *
 * @param {{ readonly url: string, readonly apiKeys: { readonly account: string } }} sandbox
 */
export function caller({ url, apiKeys }) {
  /**
   * @template [Answered=Data]
   * @param {'GET' | 'POST' | 'PUT'} method
   * @param {string} path
   * @param {object} [body]
   * @param {string} [key]
   */
  const call = async (method, path, body, key = apiKeys.account) => {
    const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' }
    const content = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(url + path, { method, headers, ...content })
    if (!response.ok) throw new Error(`${method} ${path} answered ${await response.text()}`)
    return /** @type {{ data: Answered }} */ (await response.json()).data
  }
  return {
    call,
    /** @param {[path: string, body?: object, key?: string]} given */
    post: (...given) => call('POST', ...given),
  }
}
