import { createServer } from 'node:http'
import type { Page } from 'playwright-core'
import { serve } from './serve.js'

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

/** A page of another origin, such as the shop of a merchant. Every path of it has the same content. */
export async function startPage(content: string): Promise<string> {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Shop</title><link rel="icon" href="data:,"></head><body>
<h1>Shop</h1>${content}</body></html>`
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(html)
  })
  return `${await serve(server)}/`
}
