import { effect, signal } from '@preact/signals'
import { forget, recall, remember } from '../remembered.js'
import { Icon, type IconName } from './icons.js'

const THEMES = ['system', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]

const ICONS: Readonly<Record<Theme, IconName>> = { system: 'screen', light: 'sun', dark: 'moon' }
const KEPT = 'theme'

const narrow = matchMedia('(max-width: 760px)')

/** Whether the window is as narrow as that of a phone. */
export const isNarrow = signal(narrow.matches)
narrow.addEventListener('change', () => {
  isNarrow.value = narrow.matches
})

const theme = signal<Theme>(THEMES.find((name) => name === recall(KEPT)) ?? 'system')

effect(() => {
  const chosen = theme.value
  if (chosen === 'system') {
    delete document.documentElement.dataset['theme']
    forget(KEPT)
  } else {
    document.documentElement.dataset['theme'] = chosen
    remember(KEPT, chosen)
  }
})

/** Goes from the theme of the system to the light one, the dark one, and to that of the system. */
export function ThemeSwitch() {
  const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length]!
  return (
    <button
      type="button"
      class="button quiet"
      title={`Theme: ${theme.value}. Change to: ${next}`}
      onClick={() => {
        theme.value = next
      }}
    >
      <Icon name={ICONS[theme.value]} />
      <span class="hidden">Theme: </span>
      <span class="theme-name">{theme.value}</span>
    </button>
  )
}
