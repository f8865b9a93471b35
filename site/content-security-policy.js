// A policy in each page: nothing is loaded from another host, and nothing is sent anywhere. It is the same on all
// pages, because the browser keeps that of the first one while the reader moves through the site.
import { createHash } from 'node:crypto'

/**
 * @param {string} html a page
 * @param {boolean} isNotFound whether it is the one of addresses that do not exist, which asks the site for its pages again
 */
export function withContentSecurityPolicy(html, isNotFound) {
  const scripts = html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g)
  const hashes = Array.from(
    scripts,
    ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
  )
  const policy = [
    "default-src 'self'",
    `script-src 'self' ${[...new Set(hashes)].join(' ')}`,
    // Each token of an example has its color in a style attribute.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src ${isNotFound ? "'self'" : "'none'"}`,
    "form-action 'none'",
    "base-uri 'none'",
    "object-src 'none'",
  ].join('; ')
  // Before anything that it is about.
  return html.replace('<head>', `<head>\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`)
}
