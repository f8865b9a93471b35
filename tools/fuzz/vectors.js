import { readdirSync, readFileSync } from 'node:fs'
import { API_KEY, SECRET, VERSION_LISTS } from './delivery.js'
import { FORMS } from './oracle/canonical.js'
import { digestOf } from './oracle/sign.js'

/** @import { Form } from './oracle/canonical.js' */
/** @import { Version } from './oracle/sign.js' */

/** @typedef {{ header: Uint8Array, body: Uint8Array, setup: Uint8Array }} VectorInput */

const folder = new URL('../../test-vectors/', import.meta.url)

/**
 * The test vectors, as inputs: digests that are right are written so that they stay right when the body changes.
 *
 * @returns {VectorInput[]}
 */
export function readVectors() {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json') && name !== 'schema.json')
  return names.flatMap((name) => {
    /** @type {{ testGroups: { versions: string[], tests: { body: string, header: unknown }[] }[] }} */
    const { testGroups } = JSON.parse(readFileSync(new URL(name, folder), 'utf8'))
    return testGroups.flatMap(({ versions, tests }) =>
      tests.flatMap(({ body, header }) =>
        typeof header === 'string'
          ? [toInput(Uint8Array.from(Buffer.from(body, 'hex')), header, versions)]
          : [],
      ),
    )
  })
}

/** @type {readonly (readonly [Version, Form])[]} */
const CANDIDATES = [
  ['v1', 'source'],
  ['v3', 'source'],
  ['v2', 'source'],
  ['v2', 'ecmascript'],
  ['v2', 'python'],
]

/**
 * @param {Uint8Array} body
 * @param {string} header
 * @param {readonly string[]} versions
 */
function toInput(body, header, versions) {
  const [, t = ''] = /t=([^,\t ]*)/.exec(header) ?? []
  let template = header
  let formIndex = 0
  for (const [version, form] of CANDIDATES) {
    if (!/[0-9a-f]{64}/.test(template)) break
    const digest = digestOf(version, version === 'v1' ? API_KEY : SECRET, body, t, form)
    if (digest === undefined || !template.includes(digest)) continue
    template = template.replaceAll(digest, `{${version}}`)
    formIndex = FORMS.indexOf(form)
  }
  const listIndex = VERSION_LISTS.findIndex((list) => list.join() === versions.join())
  const setup = Uint8Array.of(Math.max(listIndex, 0), 0, 0, 0, formIndex)
  return { header: Uint8Array.from(Buffer.from(template)), body, setup }
}
