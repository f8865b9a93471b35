/** Every number that the vault accepts, and its outcome. The page of the sandbox shows them, too. */
export const TEST_CARDS = [
  { number: '4242424242424242', brand: 'Visa', outcome: 'Paid' },
  { number: '5555555555554444', brand: 'Mastercard', outcome: 'Paid' },
  { number: '378282246310005', brand: 'American Express', outcome: 'Paid' },
  { number: '4000000000000002', brand: 'Visa', outcome: 'Declined' },
  { number: '4000000000009995', brand: 'Visa', outcome: 'Declined: insufficient funds' },
  { number: '4000000000000341', brand: 'Visa', outcome: 'Paid, and declined once it is saved' },
  { number: '4000000000000127', brand: 'Visa', outcome: 'Asks for the CVV each time' },
  { number: '4000000000003220', brand: 'Visa', outcome: '3-D Secure, then paid' },
  { number: '4000008400001629', brand: 'Visa', outcome: '3-D Secure, then declined' },
]

/**
 * The digits in groups, as on a card.
 *
 * @param {string} digits
 */
export function grouped(digits) {
  const groups = /^3[47]/.test(digits) ? /^(.{4})(.{0,6})(.*)$/ : /^(.{0,4})(.{0,4})(.{0,4})(.{0,4})(.*)$/
  return (groups.exec(digits)?.slice(1) ?? [digits]).filter((group) => group !== '').join(' ')
}
