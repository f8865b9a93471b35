import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso'
import { useEffect } from 'preact/hooks'
import { connection, type Connection } from '../api/changes.js'
import { GROUPS } from '../sections.js'
import { ConfirmDialog } from './dialog.js'
import { Icon } from './icons.js'
import { KeyHelp, openKeyHelp, useKeys } from './keyboard.js'
import { ThemeSwitch } from './screen.js'
import { Toasts } from './toasts.js'

/** What is around every page: the navigation, the state of the connection, dialogs and messages. */
export function Layout({ children }: { readonly children: ComponentChildren }) {
  const { path, route } = useLocation()
  const isMenuOpen = useSignal(false)
  useEffect(() => {
    isMenuOpen.value = false
  }, [path])
  useKeys([
    ...GROUPS.flatMap(({ sections }) => sections).map(({ name, title, key }) => ({
      keys: `g ${key}`,
      does: `Go to ${title}`,
      run: () => {
        route(`/${name}/`)
      },
    })),
    { keys: '?', does: 'Show these keys', run: openKeyHelp },
  ])
  return (
    <>
      <a class="skip" href="#content">
        Skip to content
      </a>
      <div class="frame" data-menu={isMenuOpen.value ? 'open' : 'closed'}>
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
          <a class="brand" href="/deliveries/">
            <img src={new URL('../icon.svg', import.meta.url).href} alt="" width="20" height="20" />
            Sandbox
          </a>
          <ConnectionState />
        </header>
        <div class="side" id="navigation">
          <nav aria-label="Pages">
            {GROUPS.map(({ title, sections }) => (
              <div class="nav-group" key={title}>
                <p class="nav-title">{title}</p>
                <ul>
                  {sections.map(({ name, title, icon }) => {
                    const isCurrent = path === `/${name}` || path.startsWith(`/${name}/`)
                    return (
                      <li key={name}>
                        <a href={`/${name}/`} {...(isCurrent && { 'aria-current': 'page' })}>
                          <Icon name={icon} />
                          {title}
                        </a>
                      </li>
                    )
                  })}
                </ul>
              </div>
            ))}
          </nav>
          <div class="side-foot">
            <ThemeSwitch />
            <button type="button" class="button quiet" title="Keyboard" onClick={openKeyHelp}>
              <kbd>?</kbd>
              Keys
            </button>
          </div>
        </div>
        <main id="content" tabIndex={-1}>
          {children}
        </main>
      </div>
      <Toasts />
      <ConfirmDialog />
      <KeyHelp />
    </>
  )
}

const WORDS: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting',
  live: 'Connected',
  offline: 'Offline: trying again',
}

function ConnectionState() {
  const state = connection.value
  return (
    <p class="connection" role="status" data-state={state}>
      {WORDS[state]}
    </p>
  )
}
