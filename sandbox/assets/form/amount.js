/** An amount with the decimals of its currency: `1,234.50 EUR`. The line does not break inside it. */
export function amountText({ amount, amount_currency: currency, amount_decimals: decimals }) {
  const text = amount.toLocaleString('en', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  return `${text}\u00a0${currency}`
}
