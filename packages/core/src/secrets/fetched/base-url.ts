// S4.2. The slash at the end belongs to it.
const PATH = '/api/v1/organizations/get-webhook-signature-key/'

/**
 * The address of the signing secret below `baseUrl`, which may have a path and a slash at its end.
 *
 * @throws {TypeError} on an address that the key must not be sent to; the message does not show it
 */
export function secretAddress(baseUrl: unknown): string {
  const url = parse(baseUrl)
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('"baseUrl" must not hold a user name or a password: the key goes into "apiKey"')
  }
  if (url.search !== '') throw new TypeError('"baseUrl" must not have a query')
  if (url.hash !== '') throw new TypeError('"baseUrl" must not have a fragment')
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    throw new TypeError(
      '"baseUrl" must start with https:, since a key is sent there (http: only to localhost)',
    )
  }
  return url.origin + url.pathname.replace(/\/+$/, '') + PATH
}

function parse(baseUrl: unknown): URL {
  if (typeof baseUrl !== 'string' && !(baseUrl instanceof URL)) {
    throw new TypeError('"baseUrl" must be the address of the payment service, as a string or a URL')
  }
  try {
    return new URL(baseUrl)
  } catch {
    // The runtime's own error has the text in it.
    throw new TypeError('"baseUrl" must be a whole address, such as https://api.example.com')
  }
}

/** What cannot leave this machine. `URL` has brought every spelling of an IP address to this form. */
function isLoopback(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}
