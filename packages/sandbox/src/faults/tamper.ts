/** Another amount in the same event: what a forger would like. */
export function tamper(body: string): string {
  return body.replace(
    /("(?:value|amount)":"?)(\d)/,
    (_, before: string, digit: string) => `${before}${(Number(digit) % 9) + 1}`,
  )
}
