/** An amount with the decimals of its currency: `1,234.50 EUR`. The line does not break inside it. */
export function amountText({ amount, amount_currency: currency }) {
  const { maximumFractionDigits } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions()
  const text = amount.toLocaleString('en', {
    minimumFractionDigits: maximumFractionDigits,
    maximumFractionDigits,
  })
  return `${text}\u00a0${currency}`
}
