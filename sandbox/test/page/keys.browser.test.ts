import { expect, it } from 'vitest'
import { describeInBrowser } from '../support/browser.js'
import { ACCOUNTS, INTENTS } from '../support/service.js'
import { Workbench } from '../support/workbench.js'

describeInBrowser('The page of keys', (open) => {
  it('shows keys masked, and in full on request', async () => {
    const { service, page, workbench } = await Workbench.open(open, '/keys/')
    const key = service.sandbox.apiKeys.account
    await page.getByText(`account_key_...${key.slice(-4)}`).waitFor()
    expect(await page.content()).not.toContain(key)
    expect(await page.content()).not.toContain(service.sandbox.secret)
    await workbench.button('Show the keys').click()
    await page.getByText(key, { exact: true }).waitFor()
    await page.getByText(service.sandbox.secret, { exact: true }).waitFor()
    const copied = await workbench.copied()
    await page
      .getByRole('row')
      .filter({ hasText: key })
      .getByRole('button', { name: 'Copy the key' })
      .first()
      .click()
    await expect.poll(copied).toBe(key)
    await workbench.button('Hide the keys').click()
    await page.getByText(`account_key_...${key.slice(-4)}`).waitFor()
    expect(await page.content()).not.toContain(key)
  })

  it('creates a live key of an account, which works', async () => {
    const { service, page, workbench } = await Workbench.open(open, '/keys/')
    await workbench.button('Create a key').click()
    const dialog = page.getByRole('dialog', { name: 'Create a key' })
    await dialog.getByRole('radio', { name: 'Live' }).check({ force: true })
    await dialog.getByRole('button', { name: 'Create the key' }).click()
    const made = page.getByRole('dialog', { name: 'The new key' })
    const key = (await made.locator('code').first().textContent())!
    const answer = await service.post(INTENTS, { amount: 10, amount_currency: 'EUR' }, key)
    expect(answer.data.is_live).toBe(true)
    await made.getByRole('button', { name: 'Done' }).click()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await page
      .getByRole('row')
      .filter({ hasText: key.slice(-4) })
      .getByText('live', { exact: true })
      .waitFor()
  })

  it('creates a key of the organization', async () => {
    const { service, page, workbench } = await Workbench.open(open, '/keys/')
    await workbench.button('Create a key').click()
    await page.getByRole('radio', { name: 'The organization' }).check({ force: true })
    await expect.poll(() => page.getByRole('combobox', { name: 'Account' }).count()).toBe(0)
    await workbench.button('Create the key').click()
    const key = (await page.getByRole('dialog').locator('code').first().textContent())!
    expect((await service.get(ACCOUNTS, key)).list).toHaveLength(1)
  })

  it('creates an account with its first key, by keyboard', async () => {
    const { service, page, workbench } = await Workbench.open(open, '/keys/')
    await workbench.button('Create an account').press('Enter')
    await page.getByRole('textbox', { name: 'Name' }).focus()
    await page.keyboard.type('Shop in Lisbon')
    await page.keyboard.press('Enter')
    const made = page.getByRole('dialog', { name: 'The first key of Shop in Lisbon' })
    const key = (await made.locator('code').first().textContent())!
    expect((await service.post(INTENTS, { amount: 10, amount_currency: 'EUR' }, key)).code).toBe(200)
    await page.keyboard.press('Escape')
    await page.getByRole('table', { name: 'Accounts' }).getByText('Shop in Lisbon').waitFor()
  })

  it('revokes the selected keys after a question, and no other', async () => {
    const { service, page, workbench } = await Workbench.open(open, '/keys/')
    const made = []
    for (let count = 0; count < 2; count++) {
      made.push((await service.post('/_sandbox/keys/', { type: 'account' })).data)
    }
    for (const { id } of made) await page.getByRole('checkbox', { name: `Select ${id}` }).check()
    await workbench.button('Revoke 2 keys').click()
    const question = page.getByRole('dialog', { name: 'Revoke 2 keys?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect((await service.post(INTENTS, { amount: 10, amount_currency: 'EUR' }, made[0]!.api_key)).code).toBe(
      200,
    )
    await workbench.button('Revoke 2 keys').click()
    await question.getByRole('button', { name: 'Revoke 2 keys' }).click()
    await page.getByText('Revoked 2 keys.').waitFor()
    await expect.poll(() => page.getByText('revoked', { exact: true }).count()).toBe(2)
    for (const { api_key } of made) {
      const answer = await service.post(INTENTS, { amount: 10, amount_currency: 'EUR' }, api_key)
      expect(answer.code).toBe(401)
    }
    expect((await service.intent()).code).toBe(200)
  })

  it('rotates the secret after a question, and shows the new one', async () => {
    const { service, page, workbench } = await Workbench.open(open, '/keys/')
    const before = service.sandbox.secret
    await page
      .getByText(`...${before.slice(-4)}`)
      .first()
      .waitFor()
    await workbench.button('Rotate the secret').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate the secret' }).click()
    await page.getByText('The secret was replaced.').waitFor()
    expect(service.sandbox.secret).not.toBe(before)
    await page.getByText(`signing_secret_...${service.sandbox.secret.slice(-4)}`).waitFor()
  })
})
