/** Makes an element. Text is always text, never markup. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value)
  made.append(...children)
  return made
}

/** Shows the error of a field under it, or removes it. */
export function showError(input, text = '') {
  document.getElementById(`${input.id}-error`).textContent = text
  if (text === '') input.removeAttribute('aria-invalid')
  else input.setAttribute('aria-invalid', 'true')
}
