// The kinds of packages/core/src/events/schema.ts, each as JSON Schema: events.js puts them in its place.

/** @typedef {Record<string, unknown>} JsonSchema */

export const string = { type: 'string' }
export const code = { type: 'string', pattern: '^[!-~]*$' }
export const boolean = { type: 'boolean' }
export const number = { type: 'number' }
export const textOrNumber = { type: ['string', 'number'] }
export const record = { type: 'object' }
export const list = { type: 'array' }
export const recordOrText = { type: ['object', 'string', 'number'] }
export const anything = {}

/** @param {JsonSchema} items */
export const arrayOf = (items) => ({ type: 'array', items })

/**
 * @param {Record<string, JsonSchema>} essential
 * @param {Record<string, JsonSchema>} optional
 */
export function object(essential, optional) {
  const required = Object.keys(essential)
  const nullable = Object.entries(optional).map(([name, kind]) => [name, orNull(kind)])
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: { ...essential, ...Object.fromEntries(nullable) },
  }
}

/** @param {JsonSchema} kind */
function orNull(kind) {
  return 'type' in kind ? { ...kind, type: [kind['type'], 'null'].flat() } : kind
}
