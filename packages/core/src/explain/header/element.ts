import { VERSION_NAMES, isVersion, type Version } from '../../versions.js'
import type { HeaderDigest, Step } from '../case.js'
import { fromBase64, toHex } from '../encoding.js'
import { fault } from './faults.js'

/** What one element of the header says: a time, a digest, or nothing that is known. */
export type Element =
  | { readonly kind: 'time'; readonly text: string; readonly faults: readonly Step[] }
  | { readonly kind: 'digest'; readonly name: Version; readonly digest: HeaderDigest | undefined }
  | { readonly kind: 'unnamed'; readonly digests: readonly HeaderDigest[] }
  | { readonly kind: 'unknown' }

const TIME = /^(?:t|ts|time|timestamp)$/i
const PREFIX = /^(?:sha-?256|hmac-sha-?256|0x)[=:]?/i

const MISNAMED = fault('header-element-names', 'an element of the header has another name than S6.2 gives it')

export function elementOf(text: string): Element {
  const equals = text.indexOf('=')
  const name = text.slice(0, Math.max(equals, 0))
  const value = text.slice(equals + 1)
  if (TIME.test(name)) return { kind: 'time', text: value, faults: name === 't' ? [] : [MISNAMED] }

  const lower = name.toLowerCase()
  if (isVersion(lower)) {
    const faults = name === lower ? [] : [MISNAMED]
    return { kind: 'digest', name: lower, digest: digestOf(value, lower, faults) }
  }
  // "sha256=<hex>" is a digest with a prefix and without a name.
  const isPrefixed = PREFIX.test(name)
  const digests = VERSION_NAMES.map((version) =>
    digestOf(isPrefixed ? text : value, version, isPrefixed ? [] : [MISNAMED]),
  ).filter((digest) => digest !== undefined)
  return digests.length === 0 ? { kind: 'unknown' } : { kind: 'unnamed', digests }
}

/** A digest in whatever form, or nothing where the text is none. */
function digestOf(text: string, version: Version, before: readonly Step[]): HeaderDigest | undefined {
  const faults = [...before]
  let digits = text
  if (PREFIX.test(text)) {
    faults.push(
      fault(
        'header-digest-prefix',
        'a digest in the header has the name of its algorithm before it ("sha256=")',
      ),
    )
    digits = text.replace(PREFIX, '')
  }
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(digits)) {
    faults.push(fault('header-digest-base64', 'a digest in the header is base64 and not hex'))
    digits = toHex(fromBase64(digits)!)
  } else if (/^[0-9A-Fa-f]{64}$/.test(digits) && /[A-F]/.test(digits)) {
    faults.push(fault('header-hex-upper-case', 'a digest in the header is in upper case'))
    digits = digits.toLowerCase()
  }
  return /^[0-9a-f]{64}$/.test(digits) ? { label: version, version, hex: digits, faults } : undefined
}
