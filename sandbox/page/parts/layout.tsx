import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso'
import { useEffect } from 'preact/hooks'
import { connection } from '../api/changes.js'
import { Icon, type IconName } from './icons.js'
import { KeyHelp, openKeyHelp, useKeys } from './keyboard.js'
import { currentIf } from './links.js'
import { Toasts } from './toasts.js'

/** The navigation. After "g", the key leads there. */
const SECTIONS: readonly (readonly [address: string, title: string, icon: IconName, key: string])[] = [
  ['/', 'Home', 'target', 'h'],
  ['/deliveries/', 'Deliveries', 'send', 'd'],
  ['/payments/', 'Payments', 'coin', 'p'],
  ['/audit/', 'Audit', 'shield', 'a'],
  ['/settings/', 'Settings', 'sliders', 's'],
]

/** Whether a path is in a section. Every path is below the address of the first. */
function isIn(path: string, address: string): boolean {
  return address === '/' ? path === '/' : `${path}/`.startsWith(address)
}

/** What is around every page: the navigation, the state of the connection, dialogs and messages. */
export function Layout({ children }: { readonly children: ComponentChildren }) {
  const { path, route } = useLocation()
  const isMenuOpen = useSignal(false)
  useEffect(() => {
    isMenuOpen.value = false
  }, [path])
  const go = (address: string) => () => route(address)
  useKeys([
    ...SECTIONS.map(([address, title, , key]) => {
      return { keys: `g ${key}`, does: `Go to ${title}`, run: go(address) }
    }),
    { keys: 'g c', does: 'Compose an event', run: go('/compose/') },
    { keys: '?', does: 'Show these keys', run: openKeyHelp },
  ])
  return (
    <>
      <a class="skip" href="#content">
        Skip to content
      </a>
      <div class="frame" data-menu={isMenuOpen.value ? 'open' : 'closed'} data-connection={connection.value}>
        <header class="top">
          <button
            type="button"
            class="button quiet menu"
            aria-expanded={isMenuOpen.value}
            aria-controls="navigation"
            aria-label="Menu"
            onClick={() => {
              isMenuOpen.value = !isMenuOpen.value
            }}
          >
            <Icon name={isMenuOpen.value ? 'close' : 'menu'} />
          </button>
          <a class="brand" href="/">
            <img
              src={new URL('../../assets/form/icon.svg', import.meta.url).href}
              alt=""
              width="20"
              height="20"
            />
            Sandbox
          </a>
          <p class="connection" role="status" data-state={connection.value}>
            {connection.value}
          </p>
        </header>
        <div class="side" id="navigation">
          <nav aria-label="Pages">
            <ul class="nav">
              {SECTIONS.map(([address, title, icon]) => (
                <li key={address}>
                  <a href={address} {...currentIf(isIn(path, address))}>
                    <Icon name={icon} />
                    {title}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <div class="side-foot">
            <button type="button" class="button quiet small" onClick={openKeyHelp}>
              <kbd>?</kbd>
              Shortcuts
            </button>
          </div>
        </div>
        <main id="content" tabIndex={-1}>
          {children}
        </main>
      </div>
      <Toasts />
      <KeyHelp />
    </>
  )
}
