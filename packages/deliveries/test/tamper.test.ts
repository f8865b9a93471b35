import { expect, it } from 'vitest'
import { tamperBody } from '../src/node.js'

it.each([
  ['10', '{"amount":{"value":10}}', '{"amount":{"value":20}}'],
  ['9', '{"amount":{"value":9}}', '{"amount":{"value":1}}'],
  ['0.5', '{"amount":{"value":0.5}}', '{"amount":{"value":1.5}}'],
])('makes another amount of %s', (_, body, tampered) => {
  expect(tamperBody(body)).toBe(tampered)
})
