import { byId } from './dom.js'

/** Asks, and resolves to whether it is to be done. The focus goes back to where it was. */
export function confirmed({ title, text, yes }) {
  const dialog = byId('confirm')
  byId('confirm-title').textContent = title
  byId('confirm-text').textContent = text
  byId('confirm-yes').textContent = yes
  byId('confirm-yes').onclick = () => dialog.close('yes')
  byId('confirm-no').onclick = () => dialog.close('no')
  dialog.returnValue = 'no'
  dialog.showModal()
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true })
  })
}
