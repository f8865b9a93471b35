import { signal } from '@preact/signals'

const narrow = matchMedia('(max-width: 760px)')

/** Whether the window is as narrow as that of a phone. */
export const isNarrow = signal(narrow.matches)
narrow.addEventListener('change', () => {
  isNarrow.value = narrow.matches
})
