/** An amount with the decimals of its currency: `10.50 EUR`. The line does not break inside it. */
export function amountText({ amount, amount_currency: currency }) {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return `${amount.toFixed(format.resolvedOptions().maximumFractionDigits)}\u00a0${currency}`
}
