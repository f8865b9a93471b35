/** Makes an element. Text is always text, never markup. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value)
  made.append(...children)
  return made
}

/** Shows what is wrong with a field beside it, or that nothing is. */
export function showError(input, text = '') {
  document.getElementById(`${input.id}-error`).textContent = text
  if (text === '') input.removeAttribute('aria-invalid')
  else input.setAttribute('aria-invalid', 'true')
}
