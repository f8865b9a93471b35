/**
 * @typedef {object} Merchant the merchant's calls to the payment service
 * @property {(path: string) => Promise<Data>} get
 * @property {(path: string, body: object) => Promise<Data>} post
 * @property {(path: string, body: object) => Promise<Data>} put
 */

/** @typedef {{ id: string, status: string, [field: string]: unknown }} Data */

/**
 * @param {{ baseUrl: string, apiKey: string }} service
 * @returns {Merchant}
 */
export function createMerchant({ baseUrl, apiKey }) {
  /**
   * @param {string} path
   * @param {RequestInit} [init]
   * @returns {Promise<Data>}
   */
  async function call(path, init) {
    const headers = { 'X-Api-Key': apiKey, 'Content-Type': 'application/json' }
    const response = await fetch(baseUrl + path, { ...init, headers })
    const { status, data } = /** @type {{ status: { message: string }, data: Data }} */ (
      await response.json()
    )
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${status.message}`)
    return data
  }
  return {
    get: (path) => call(path),
    post: (path, body) => call(path, { method: 'POST', body: JSON.stringify(body) }),
    put: (path, body) => call(path, { method: 'PUT', body: JSON.stringify(body) }),
  }
}
