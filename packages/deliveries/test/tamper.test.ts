import { expect, it } from 'vitest'
import { tamperBody } from '../src/node.js'

it.each([
  ['10', '{"amount":{"value":10}}', '{"amount":{"value":20}}'],
  ['9', '{"amount":{"value":9}}', '{"amount":{"value":1}}'],
  ['0.5', '{"amount":{"value":0.5}}', '{"amount":{"value":1.5}}'],
  ['90.0', '{"amount":{"value":90.0}}', '{"amount":{"value":10.0}}'],
  ['a decimal text', '{"amount":"7.50"}', '{"amount":"8.50"}'],
  ['a number after a space', '{"amount": 7}', '{"amount": 8}'],
])('makes another amount of %s', (_, body, tampered) => {
  expect(tamperBody(body)).toBe(tampered)
})

it.each([
  ['{"amount":"ten","id":"a1b"}', '{"amount":"ten","id":"a2b"}'],
  ['{"type":"dispute.opened"}', '{"type":"dispute.openex"}'],
  ['{"x":"x"}', '{"x":"y"}'],
  ['[]', '[]0'],
  ['', '0'],
])('changes %j, which has no amount, to %j', (body, tampered) => {
  expect(tamperBody(body)).toBe(tampered)
})
