import type { LambdaEvent } from '@service-signature/lambda'

/** The event with one more header. */
export function withHeader(event: LambdaEvent, name: string, value: string): LambdaEvent {
  const { headers, multiValueHeaders } = event
  return {
    ...event,
    ...(headers && { headers: { ...headers, [name]: value } }),
    ...(multiValueHeaders && { multiValueHeaders: { ...multiValueHeaders, [name]: [value] } }),
  }
}

/** The event with another value of its header. */
export function withSignature(event: LambdaEvent, value: string): LambdaEvent {
  return withHeader(renamed(event, 'x-before'), 'Service-Signature', value)
}

/** The event with its header under another name. */
export function renamed(event: LambdaEvent, name: string): LambdaEvent {
  const rename = <Value>(headers: Readonly<Record<string, Value>>) =>
    Object.fromEntries(
      Object.entries(headers).map(([old, value]) => [
        old.toLowerCase() === 'service-signature' ? name : old,
        value,
      ]),
    )
  const { headers, multiValueHeaders } = event
  return {
    ...event,
    ...(headers && { headers: rename(headers) }),
    ...(multiValueHeaders && { multiValueHeaders: rename(multiValueHeaders) }),
  }
}
