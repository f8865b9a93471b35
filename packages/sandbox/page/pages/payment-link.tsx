import { Icon } from '../parts/icons.js'

/** What fills the lists of payments. */
export function PaymentLink() {
  return (
    <a class="button primary" href="/payments/">
      <Icon name="coin" />
      Test payment
    </a>
  )
}
