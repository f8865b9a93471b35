import type { Page } from 'playwright-core'

/** Types a card into the hosted form. */
export async function fillIn(
  page: Page,
  card: string,
  { cvv = '123', expiry = '1234', holder = 'Jane Doe' } = {},
) {
  await page.getByLabel('Card number').fill(card)
  await page.getByLabel('Expiry').pressSequentially(expiry)
  await page.getByLabel('CVV', { exact: true }).first().fill(cvv)
  await page.getByLabel('Name on the card').fill(holder)
}

/** Presses a button. */
export function press(page: Page, name: string) {
  return page.getByRole('button', { name, exact: true }).click()
}

/** Waits until the page says so. */
export function says(page: Page, heading: string) {
  return page.getByRole('heading', { name: heading, exact: true }).waitFor()
}
