export const byId = (id) => document.getElementById(id)

/**
 * An element, with what is in it. Texts become text nodes, so nothing that is shown is ever read as HTML.
 *
 * @example
 * el('button', { type: 'button', onclick: close }, 'Close')
 */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value)
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : value)
  }
  element.append(...children)
  return element
}

/** The name of an event, which may go on in the next line after a dot, and nowhere else. */
export function breakable(name) {
  return name.split(/(?<=\.)/).flatMap((part, index) => (index === 0 ? [part] : [el('wbr'), part]))
}

/** A change that changes nothing would be read out again, and would end a selection. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text
}

const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })
const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' })

/** A moment: the time of day, and the whole of it where the pointer rests. */
export function moment(iso) {
  return el('time', { datetime: iso, title: fullTime(iso) }, CLOCK.format(new Date(iso)))
}

export const fullTime = (when) => FULL.format(new Date(when))

/** A state in a word; its color says the same once more. */
export const badge = (text, tone) => el('span', { class: 'badge', 'data-tone': tone }, text)

/** Copies a text, and says on the button that it did. */
export function copyButton(text, label = 'Copy') {
  const button = el('button', { type: 'button', class: 'small' }, label)
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'function' ? text() : text)
      setText(button, 'Copied')
    } catch {
      setText(button, 'Not allowed')
    }
  })
  button.addEventListener('blur', () => setText(button, label))
  return button
}
