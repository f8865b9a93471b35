/** The data of the form. */
export function load() {
  return call('state/', {})
}

/** Sends what the customer entered in this step. */
export async function pay(brought) {
  const answer = await call('pay/', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(brought),
  })
  // It was completed elsewhere in the meantime.
  return answer.code === 409 ? { ...(await load()), isLate: true } : answer
}

/** Returns `state`, or what is wrong: `problems` by field, or one `problem`. */
async function call(path, options) {
  try {
    const response = await fetch(path, options)
    const { status, data } = await response.json()
    if (response.ok) return { state: data }
    if (status.code === 404 && options.method === undefined) return { problem: 'There is no such payment.' }
    return { code: status.code, ...wordsOf(Object.assign({}, ...status.errors)) }
  } catch {
    return { problem: 'The payment service did not answer. Try again.' }
  }
}

function wordsOf({ card, expiry, cvv, holder, ...others }) {
  const problems = { card, expiry, cvv, holder }
  const isOfField = Object.values(problems).some((text) => text !== undefined)
  const problem = Object.values(others)[0] ?? (isOfField ? '' : 'The payment service refused this.')
  return { problems, problem }
}

/** An amount with the decimals of its currency: `1,234.50 EUR`. The line does not break inside it. */
export function amountText({ amount, amount_currency: currency, amount_decimals: decimals }) {
  const options = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  return `${amount.toLocaleString('en', options)}\u00a0${currency}`
}
