/** A test number that the vault accepts. */
export interface TestCard {
  readonly number: string
  readonly brand: string
  readonly outcome: string
}

/** Every published test number, in the order of the documentation. */
export const TEST_CARDS: readonly TestCard[] = [
  { number: '4242424242424242', brand: 'Visa', outcome: 'Paid' },
  { number: '5555555555554444', brand: 'Mastercard', outcome: 'Paid' },
  { number: '378282246310005', brand: 'American Express', outcome: 'Paid' },
  { number: '4000000000000002', brand: 'Visa', outcome: 'Declined' },
  { number: '4000000000009995', brand: 'Visa', outcome: 'Declined: insufficient funds' },
  { number: '4000000000000341', brand: 'Visa', outcome: 'Paid, and declined once it is saved' },
  { number: '4000000000000127', brand: 'Visa', outcome: 'Asks for the CVV' },
  { number: '4000000000003220', brand: 'Visa', outcome: '3-D Secure, then paid' },
  { number: '4000008400001629', brand: 'Visa', outcome: '3-D Secure, then declined' },
]
