import { send } from './api.js'
import { confirmed } from './confirm.js'
import { badge, byId, copyButton, el, setText } from './dom.js'
import { createRows } from './rows.js'

/** The signing secret and the keys: masked, until they are asked for. */
export function createKeys(notice) {
  const rows = createRows(byId('keys'), ({ id }) => id, keyRow)
  const secret = byId('secret')
  const reveal = byId('reveal')
  const copySecret = copyButton(() => secret.textContent, 'Copy')
  byId('copy-secret').replaceWith(copySecret)
  let isRevealed = false
  let masked

  async function show(overview = masked) {
    masked = overview
    const full = isRevealed ? (await send('POST', '/_sandbox/keys/reveal/')).data : undefined
    setText(secret, (full ?? overview.organization).webhook_signature_secret)
    copySecret.hidden = !isRevealed
    rows((full ?? overview).keys)
  }

  reveal.addEventListener('click', () => {
    isRevealed = !isRevealed
    reveal.setAttribute('aria-pressed', String(isRevealed))
    void notice.during(() => show())
  })
  byId('rotate').addEventListener('click', () => {
    void notice.during(
      () => send('POST', '/_sandbox/secret/rotate/'),
      'The secret is another one. What was sent before is signed with the old one.',
    )
  })
  for (const type of ['account', 'organization']) {
    byId(`new-${type}-key`).addEventListener('click', () => {
      void notice.during(() => send('POST', '/_sandbox/keys/', { type }), `There is a new ${type} key.`)
    })
  }

  function keyRow({ id, type, account }) {
    const value = el('code')
    const publicValue = el('code')
    const copies = [copyButton(() => value.textContent), copyButton(() => publicValue.textContent)]
    const state = el('span')
    const revoke = el(
      'button',
      { type: 'button', class: 'small', onclick: () => void revokeKey(id, type) },
      'Revoke',
    )
    const publicLine = el('p', { class: 'secret' }, publicValue, copies[1])
    const title = el('span', {}, type === 'account' ? 'Account' : 'Organization')
    const whose = type === 'account' ? [el('span', { class: 'sub' }, account)] : []
    const element = el(
      'li',
      { tabindex: '-1' },
      el('p', { class: 'key-title' }, title, state, revoke, ...whose),
      el('p', { class: 'secret' }, value, copies[0]),
      publicLine,
    )
    return {
      element,
      update(key) {
        setText(value, key.api_key)
        setText(publicValue, key.public_api_key ?? '')
        publicLine.hidden = key.public_api_key === null
        for (const copy of copies) copy.hidden = !isRevealed
        state.replaceChildren(...(key.is_revoked ? [badge('revoked', 'bad')] : []))
        if (key.is_revoked && document.activeElement === revoke) element.focus()
        revoke.hidden = key.is_revoked
      },
    }
  }

  async function revokeKey(id, type) {
    const isSure = await confirmed({
      title: `Revoke this ${type} key?`,
      text: 'Whoever calls with it is refused. It does not come back before a reset.',
      yes: 'Revoke',
    })
    if (isSure) await notice.during(() => send('POST', `/_sandbox/keys/${id}/revoke/`), 'The key is revoked.')
  }

  return { show }
}
