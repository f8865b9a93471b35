import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'

/** An account at the payment service, for one endpoint. */
export class Account {
  calls = 0
  news = new EventEmitter()
  name
  url
  #kind
  #isHeld

  /**
   * @param {string} name
   * @param {string} url
   * @param {'known' | 'unknown' | 'held'} kind of a `held` one, the secret is given when it is released
   */
  constructor(name, url, kind) {
    this.name = name
    this.url = url
    this.#kind = kind
    this.#isHeld = kind === 'held'
  }

  release() {
    this.#isHeld = false
    this.news.emit('released')
  }

  /** @param {import('node:http').ServerResponse} res */
  async answer(res) {
    this.calls += 1
    this.news.emit('call')
    if (this.#isHeld) await once(this.news, 'released')
    const code = this.#kind === 'unknown' ? 403 : 200
    const data = code === 200 ? { webhook_signature_secret: 'test_signature_key' } : null
    res.writeHead(code, { 'Content-Type': 'application/json' })
    res.end(JSON.stringify({ status: { code, message: '' }, data }))
  }
}

/** The payment service, as far as it gives the secret (S4.2): to each account at `/<name>/api/...`. */
export async function startKeyService() {
  /** @type {Map<string, Account>} */
  const accounts = new Map()
  const server = createServer((req, res) => {
    const [, name = ''] = String(req.url).split('/')
    void accounts.get(name)?.answer(res)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    /** @param {'known' | 'unknown' | 'held'} kind */
    open(kind) {
      const name = `${kind}-${accounts.size}`
      const account = new Account(name, `http://127.0.0.1:${port}/${name}`, kind)
      accounts.set(name, account)
      return account
    },
    end() {
      server.close()
      server.closeAllConnections()
    },
  }
}
