import { expect, it } from 'vitest'
import { describeInBrowser } from './support/browser.js'
import { Dashboard } from './support/dashboard.js'
import { partsOf, digestsOf } from './support/signature.js'
import { SIGNATURE_KEY } from './support/service.js'

describeInBrowser('The page at /: faults, keys, reset', (open) => {
  it('sets every fault, shows what is set, and clears it', async () => {
    const { service, dashboard, page } = await Dashboard.open(open)
    const faults = async () => (await service.get('/_sandbox/state')).data['faults']
    for (const label of ['Send each attempt twice', "Send the intent's event first", 'The vault is down']) {
      await page.getByLabel(label).check()
    }
    await page.getByLabel('Change the amount after signing').check()
    await page.getByLabel('Sign with a time an hour old').check()
    await page.getByLabel('Delay in milliseconds').fill('50')
    await page.getByRole('combobox', { name: 'Answer' }).selectOption('slow')
    await page.getByLabel('Delay in ms').fill('20')
    await page.getByLabel('Chance of each fault').fill('0.5')
    await dashboard.button('Set faults').click()
    await page.getByText('7 set', { exact: true }).waitFor()
    const set = {
      deliveries: { duplicate: true, reorder: true, tamper: true, stale: true, delayMs: 50 },
      secretEndpoint: { mode: 'slow', delayMs: 20 },
      vault: 'down',
      chance: 0.5,
    }
    expect(await faults()).toEqual(set)

    await page.reload()
    await page.getByText('7 set', { exact: true }).waitFor()
    expect(await page.getByLabel('The vault is down').isChecked()).toBe(true)
    expect(await page.getByRole('combobox', { name: 'Answer' }).inputValue()).toBe('slow')
    await dashboard.button('Set faults').click()
    await page.getByText('The faults are set.').waitFor()
    expect(await faults()).toEqual(set)

    await dashboard.button('Clear').click()
    await page.getByText('There are no faults any more.').waitFor()
    expect(await faults()).toEqual({})
    await page.locator('#faults-count').getByText('none').waitFor()
    expect(await page.getByLabel('The vault is down').isChecked()).toBe(false)
  })

  it('a fault has its effect on the next payment', async () => {
    const { dashboard, endpoint, page } = await Dashboard.open(open)
    await page.getByLabel('Send each attempt twice').check()
    await dashboard.button('Set faults').click()
    await page.getByText('1 set', { exact: true }).waitFor()
    await dashboard.pay(endpoint.url)
    await endpoint.until(4)
    expect(new Set(endpoint.types).size).toBe(2)
  })

  it('what is being typed is not lost when the faults change elsewhere', async () => {
    const { service, page } = await Dashboard.open(open)
    await page.getByLabel('Delay in milliseconds').fill('77')
    await service.faults({ vault: 'down' })
    await page.getByText('1 set', { exact: true }).waitFor()
    expect(await page.getByLabel('Delay in milliseconds').inputValue()).toBe('77')
    expect(await page.getByLabel('The vault is down').isChecked()).toBe(false)
  })

  it('keys and secret are masked, until they are asked for', async () => {
    const { service, dashboard, page } = await Dashboard.open(open)
    const { secret, apiKeys } = service.sandbox
    const all = [secret, ...Object.values(apiKeys)]
    await page.getByText(`account_key_...${apiKeys.account.slice(-4)}`).waitFor()
    for (const key of all) expect(await page.content()).not.toContain(key)
    await dashboard.button('Show in full').click()
    for (const key of all) await page.getByText(key).waitFor()

    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await dashboard.button('Copy').first().click()
    await dashboard.button('Copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret)

    await dashboard.button('Show in full').click()
    await page.getByText(`signing_secret_...${secret.slice(-4)}`).waitFor()
    for (const key of all) expect(await page.content()).not.toContain(key)
  })

  it('rotates the secret: what comes next is signed with the new one, and the report tells of the old one', async () => {
    const { service, dashboard, endpoint, page } = await Dashboard.open(open)
    await dashboard.pay(endpoint.url)
    await endpoint.until(2)
    const old = service.sandbox.secret
    await dashboard.button('Rotate the secret').click()
    await page.getByText('The secret is another one.').waitFor()
    const { secret, apiKeys } = service.sandbox
    expect(secret).not.toBe(old)
    expect((await service.get(SIGNATURE_KEY)).text).toContain(secret)
    await page.getByText(`signing_secret_...${secret.slice(-4)}`).waitFor()

    await dashboard.openDelivery('intent.processed')
    await page.locator('.finding').getByText('other-secret').waitFor()
    await dashboard.button('Resend').click()
    await page.locator('.finding').getByText('It verifies').waitFor()
    const again = endpoint.received[2]!
    const { t, ...digests } = partsOf(again)
    expect(digests).toEqual(digestsOf(again.bytes, t, secret, apiKeys.account))
  })

  it('a report that is open follows a rotation', async () => {
    const { service, dashboard, endpoint, page } = await Dashboard.open(open)
    await dashboard.pay(endpoint.url)
    await endpoint.until(2)
    await dashboard.openDelivery('intent.processed')
    await page.locator('.finding').getByText('It verifies').waitFor()
    await service.post('/_sandbox/secret/rotate/')
    await page.locator('.finding').getByText('other-secret').waitFor()
  })

  it('makes keys, and revokes one when that was confirmed; a payment then takes another', async () => {
    const { service, dashboard, endpoint, page } = await Dashboard.open(open)
    await dashboard.button('New organization key').click()
    await dashboard.button('New account key').click()
    const keys = page.locator('#keys > li')
    await keys.nth(3).waitFor()
    const isRevoked = async () => (await service.state())['keys']!.map((key) => key.is_revoked)

    await dashboard.button('Revoke').first().click()
    await page.getByRole('dialog', { name: 'Revoke this account key?' }).waitFor()
    await dashboard.button('Cancel').click()
    expect(await isRevoked()).toEqual([false, false, false, false])
    await dashboard.button('Revoke').first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await keys.first().getByText('revoked').waitFor()
    expect(await isRevoked()).toEqual([true, false, false, false])

    await dashboard.pay(endpoint.url)
    const { data } = await service.post('/_sandbox/keys/reveal/')
    const second = (data['keys'] as readonly { type: string; api_key: string }[]).filter(
      ({ type }) => type === 'account',
    )[1]!
    await endpoint.until(1)
    const { t, v1 } = partsOf(endpoint.received[0]!)
    expect(v1).toBe(digestsOf(endpoint.received[0]!.bytes, t, 'x', second.api_key).v1)
  })

  it('says what to do where every account key is revoked', async () => {
    const { service, dashboard, page } = await Dashboard.open(open)
    const [key] = (await service.state())['keys']!
    await service.post(`/_sandbox/keys/${key!.id}/revoke/`)
    await dashboard.button('Pay').click()
    await page.getByText('Make a new one under "Secret and keys".').waitFor()
    expect((await service.state())['intents']).toEqual([])
  })

  it('resets when that was confirmed, and not before; the focus comes back', async () => {
    const { service, dashboard, endpoint, page } = await Dashboard.open(open)
    await dashboard.pay(endpoint.url)
    await dashboard.rows('Deliveries', 2)
    const intents = async () => (await service.state())['intents']!.length
    await dashboard.button('Reset').click()
    const dialog = page.getByRole('dialog', { name: 'Reset the sandbox?' })
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    expect(await intents()).toBe(1)
    expect(await page.evaluate('document.activeElement.id')).toBe('reset')

    await dashboard.button('Reset').click()
    await dialog.getByRole('button', { name: 'Reset' }).click()
    await page.getByText('The sandbox is as at its start.').waitFor()
    await page.getByText('Nothing was sent yet.').waitFor()
    expect(await intents()).toBe(0)
    expect(await page.evaluate('document.activeElement.id')).toBe('reset')
  })
})
