import { signal } from '@preact/signals'

const query = matchMedia('(max-width: 760px)')

/** Whether the window is as narrow as that of a phone. */
export const isNarrow = signal(query.matches)
query.addEventListener('change', () => {
  isNarrow.value = query.matches
})
