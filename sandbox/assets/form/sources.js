import { element } from './dom.js'

/** The saved cards of a customer, and "another card". The fields of a new card are shown only for that choice. */
export function createSources(fieldset, newCard) {
  const radios = () => [...fieldset.querySelectorAll('input')]
  const update = () => {
    newCard.hidden = chosen() !== undefined
  }
  fieldset.addEventListener('change', update)

  function chosen() {
    return radios().find(({ checked }) => checked)?.value || undefined
  }

  return {
    chosen,
    show(cards) {
      for (const choice of fieldset.querySelectorAll('.choice')) choice.remove()
      fieldset.hidden = cards.length === 0
      if (!fieldset.hidden) {
        const choices = [...cards, { id: '', name: 'Another card' }]
        fieldset.append(...choices.map(({ id, name }) => choice(id, name)))
        radios()[0].checked = true
      }
      update()
    },
    chooseNew() {
      const last = radios().at(-1)
      if (last !== undefined) last.checked = true
      update()
    },
    /** Whether there is something to choose. */
    focus() {
      const current = radios().find(({ checked }) => checked)
      current?.focus()
      return current !== undefined
    },
  }
}

function choice(value, name) {
  const radio = element('input', { type: 'radio', name: 'source', value })
  return element('label', { class: 'choice' }, radio, ' ', element('span', {}, name))
}
