import { amountText } from '../model/amounts.js'
import type { Event } from './events.js'

/** An event of any text. What a list shows of it is taken from the text, if that is JSON. */
export function composedEvent(body: string): Event {
  const payload = parsed(body)
  const type = fieldOf(payload, 'type')
  const amount = amountOf(payload)
  return {
    type: typeof type === 'string' ? type : '(no type)',
    body,
    ...(amount !== undefined && { amount }),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The amount, where an event of one of the two shapes has it. */
function amountOf(payload: unknown): string | undefined {
  const amount = fieldOf(fieldOf(payload, 'intent'), 'amount')
  const intent = fieldOf(fieldOf(payload, 'data'), 'intent')
  return (
    textOf(fieldOf(amount, 'value'), fieldOf(amount, 'currency')) ??
    textOf(fieldOf(intent, 'amount'), fieldOf(intent, 'amount_currency'))
  )
}

function textOf(value: unknown, currency: unknown): string | undefined {
  return typeof value === 'number' && typeof currency === 'string' ? amountText(value, currency) : undefined
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Readonly<Record<string, unknown>>)[name]
}
