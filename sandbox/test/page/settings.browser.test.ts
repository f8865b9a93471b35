import { expect, it } from 'vitest'
import { describeInBrowser } from '../support/browser.js'
import { ACCOUNTS, INTENTS, type Service } from '../support/service.js'
import { pay, Workbench } from '../support/workbench.js'

const INTENT = { amount: 10, amount_currency: 'EUR' }

async function faults(service: Service): Promise<unknown> {
  return (await service.get('/_sandbox/overview/')).data['faults']
}

/** Answers the question that the next press asks, and returns its text. */
async function answered({ page }: Workbench, isConfirmed: boolean, press: () => Promise<void>) {
  const asked = page.waitForEvent('dialog')
  const pressed = press()
  const dialog = await asked
  await (isConfirmed ? dialog.accept() : dialog.dismiss())
  await pressed
  return dialog.message()
}

describeInBrowser('The settings: faults', (open) => {
  it('set faults at once, show those that were set elsewhere, and end all of them', async () => {
    const { service, page, workbench } = await Workbench.open(open, '/settings/faults/')
    await page.getByRole('checkbox', { name: 'Stale' }).check()
    await expect.poll(() => faults(service)).toEqual({ deliveries: { stale: true } })
    await page.getByLabel('Signature-key endpoint').selectOption('slow')
    await page.getByLabel('How often each fault happens').selectOption('0.1')
    await page.getByLabel('Provider north').selectOption('declines')
    const set = { deliveries: { stale: true }, secretEndpoint: { mode: 'slow' }, chance: 0.1 }
    await expect.poll(() => faults(service)).toEqual({ ...set, providers: { north: 'declines' } })
    await service.faults({ vault: 'down', deliveries: { delayMs: 50 } })
    await expect.poll(() => page.getByLabel('Vault').inputValue()).toBe('down')
    await expect.poll(() => page.getByRole('checkbox', { name: 'Stale' }).isChecked()).toBe(false)
    await expect.poll(() => page.getByLabel('Delay of each attempt').inputValue()).toBe('50')
    await page.getByLabel('Vault').selectOption('')
    await expect.poll(() => faults(service)).toEqual({ deliveries: { delayMs: 50 } })
    await workbench.button('End all faults').click()
    await expect.poll(() => faults(service)).toEqual({})
  })

  it('keep a change of the faults while an older answer is on its way', async () => {
    const { service, page } = await Workbench.open(open, '/settings/faults/')
    const stale = page.getByRole('checkbox', { name: 'Stale' })
    await stale.waitFor()
    const older: (() => Promise<void>)[] = []
    await page.route('**/_sandbox/overview/', async (route) => {
      const response = await route.fetch()
      older.push(() => route.fulfill({ response }))
    })
    await service.faults({})
    await expect.poll(() => older.length).toBeGreaterThan(0)
    await stale.check()
    await expect.poll(() => faults(service)).toEqual({ deliveries: { stale: true } })
    for (const arrive of older.splice(0)) await arrive()
    await page.getByRole('checkbox', { name: 'Lost' }).check()
    await expect.poll(() => faults(service)).toEqual({ deliveries: { stale: true, lost: true } })
  })
})

describeInBrowser('The settings: general', (open) => {
  it('reset the sandbox after a question', async () => {
    const { service, endpoint, page, workbench } = await Workbench.open(open, '/settings/')
    await pay(service, endpoint.url)
    const reset = () => workbench.button('Reset the sandbox').click()
    expect(await answered(workbench, false, reset)).toContain(
      'Reset the sandbox? This removes payments: 1, deliveries: 2.',
    )
    expect(await service.deliveries()).toHaveLength(2)
    await answered(workbench, true, reset)
    await page.getByText('The sandbox is as it was at its start.').waitFor()
    expect(await service.deliveries()).toEqual([])
  })

  it('save a default endpoint, to which intents without a webhook_url send, and remove it', async () => {
    const { service, endpoint, page, workbench } = await Workbench.open(open, '/settings/')
    const field = page.getByRole('textbox', { name: 'URL' })
    await field.fill('ftp://localhost')
    await workbench.button('Save').click()
    await page.getByText('This must be an address').waitFor()
    expect(workbench.problems.splice(0)).toEqual([expect.stringContaining('400')])
    await field.fill(endpoint.url)
    await page.keyboard.press('Enter')
    await page.getByText(`Events go to ${endpoint.url}.`).waitFor()
    await service.pay((await service.intent()).data.id)
    await service.sandbox.drained()
    expect(endpoint.types).toEqual(['transaction.purchase.successful', 'intent.processed'])
    await field.fill('')
    await workbench.button('Save').click()
    await page.getByText('There is no default endpoint now.').waitFor()
    expect((await service.get('/_sandbox/overview/')).data['default_endpoint']).toBeNull()
  })
})

describeInBrowser('The settings: keys', (open) => {
  it('show keys masked, and in full on request', async () => {
    const { service, page, workbench } = await Workbench.open(open, '/settings/keys/')
    const key = service.sandbox.apiKeys.account
    await page.getByText(`account_key_...${key.slice(-4)}`).waitFor()
    expect(await page.content()).not.toContain(key)
    expect(await page.content()).not.toContain(service.sandbox.secret)
    await workbench.button('Show the keys').click()
    await page.getByText(service.sandbox.secret, { exact: true }).waitFor()
    const copied = await workbench.copied()
    await page.getByRole('row').filter({ hasText: key }).getByRole('button', { name: 'Copy' }).first().click()
    await expect.poll(copied).toBe(key)
    await workbench.button('Hide the keys').click()
    await page.getByText(`account_key_...${key.slice(-4)}`).waitFor()
    expect(await page.content()).not.toContain(key)
  })

  it('create a live key and a key of the organization, and show those of another account, which work', async () => {
    const { service, page, workbench } = await Workbench.open(open, '/settings/keys/')
    const newest = page.getByRole('table', { name: 'Keys' }).getByRole('row').nth(1)
    const keyWith = async (owner: string) => {
      const code = newest.filter({ hasText: owner }).locator('code').first()
      await expect.poll(() => code.innerText()).not.toContain('...')
      return code.innerText()
    }
    await page.getByLabel('Mode').selectOption('true')
    await workbench.button('Create the key').click()
    expect((await service.post(INTENTS, INTENT, await keyWith('live'))).data.is_live).toBe(true)
    await page.getByLabel('Account', { exact: true }).selectOption('The organization')
    await workbench.button('Create the key').click()
    expect((await service.get(ACCOUNTS, await keyWith('Organization in both modes'))).list).toHaveLength(1)
    await service.account('Shop in Lisbon')
    await page.getByRole('table', { name: 'Accounts' }).getByText('Shop in Lisbon').waitFor()
    expect((await service.post(INTENTS, INTENT, await keyWith('Shop in Lisbon'))).code).toBe(200)
  })

  it('revoke a key after a question, and no other', async () => {
    const { service, page, workbench } = await Workbench.open(open, '/settings/keys/')
    const { id, api_key: key } = (await service.post('/_sandbox/keys/', { type: 'account' })).data
    const revoke = () => workbench.button(`Revoke ${id}`).click()
    await answered(workbench, false, revoke)
    expect((await service.post(INTENTS, INTENT, key)).code).toBe(200)
    await answered(workbench, true, revoke)
    await page.getByText('revoked', { exact: true }).waitFor()
    expect((await service.post(INTENTS, INTENT, key)).code).toBe(401)
    expect((await service.intent()).code).toBe(200)
  })

  it('rotate the secret after a question, and show the new one', async () => {
    const { service, page, workbench } = await Workbench.open(open, '/settings/keys/')
    const before = service.sandbox.secret
    await page
      .getByText(`...${before.slice(-4)}`)
      .first()
      .waitFor()
    await answered(workbench, true, () => workbench.button('Rotate the secret').click())
    await page.getByText('The secret was replaced.').waitFor()
    expect(service.sandbox.secret).not.toBe(before)
    await page.getByText(`signing_secret_...${service.sandbox.secret.slice(-4)}`).waitFor()
  })
})

describeInBrowser('The settings: API requests', (open) => {
  it('show calls as they are made, with their answers, and filter them', async () => {
    const { service, page, workbench } = await Workbench.open(open, '/settings/requests/')
    await page.getByText('Every call to the API appears here').waitFor()
    await service.post(INTENTS, { amount: '10', amount_currency: 'EUR' })
    await service.intent({ custom_fields: { reference: 'Order 1001' } })
    const rows = workbench.rows('Requests')
    await expect.poll(() => rows.count()).toBe(2)
    const refused = /POST[^]*\/api\/v1\.4\/payments\/intent\/[^]*400 amount must be a number/
    await expect.poll(() => rows.nth(1).innerText()).toMatch(refused)
    await page.getByLabel('Answer').selectOption('4xx')
    await expect.poll(() => rows.count()).toBe(1)
    expect(workbench.address).toBe('/settings/requests/?status=4xx')
    await workbench.button('Clear').click()
    await page.getByLabel('Search requests').fill('order 1001')
    await expect.poll(() => rows.count()).toBe(1)
    await rows.getByRole('link').click()
    await page.getByRole('heading', { name: 'POST /api/v1.4/payments/intent/' }).waitFor()
    await page.getByRole('region', { name: 'Answer' }).getByText('"Order 1001"').waitFor()
    const key = service.sandbox.apiKeys.account
    expect(await page.content()).not.toContain(key)
    await page.keyboard.press('Escape')
    await expect.poll(() => workbench.address).toBe('/settings/requests/')
  })
})
