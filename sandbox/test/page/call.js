/** @typedef {{ readonly id: string }} Data what is read of any answer */

/**
 * Calls of the account of a sandbox to its API.
 *
 * @param {{ readonly url: string, readonly apiKeys: { readonly account: string } }} sandbox
 */
export function caller({ url, apiKeys }) {
  /**
   * @param {string} path
   * @param {object} [body]
   */
  const post = async (path, body) => {
    const headers = { 'X-Api-Key': apiKeys.account, 'Content-Type': 'application/json' }
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`POST ${path} answered ${await response.text()}`)
    return /** @type {{ data: Data }} */ (await response.json()).data
  }
  return {
    post,
    /**
     * Pays an intent.
     *
     * @param {object} fields
     */
    async pay(fields, card = '4242424242424242') {
      const intent = await post('/api/v1.4/payments/intent/', { amount_currency: 'EUR', ...fields })
      await post(`/_sandbox/intents/${intent.id}/pay/`, { card })
      return intent
    },
  }
}
