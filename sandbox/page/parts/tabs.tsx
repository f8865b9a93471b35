import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'

export interface Tab {
  readonly name: string
  readonly title: string
}

interface TabsProps {
  readonly label: string
  readonly tabs: readonly Tab[]
  readonly current: string
  readonly onSelect: (name: string) => void
  readonly children: ComponentChildren
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }

/** Views of which one is shown. The arrow keys lead from one to the next. */
export function Tabs({ label, tabs, current, onSelect, children }: TabsProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)

  function move(event: KeyboardEvent): void {
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    const index = tabs.findIndex(({ name }) => name === current)
    const next = tabs[(index + step + tabs.length) % tabs.length]!
    onSelect(next.name)
    list.current!.querySelector<HTMLElement>(`[data-name="${next.name}"]`)!.focus()
  }

  return (
    <div class="tabs">
      <div role="tablist" aria-label={label} class="tab-list" ref={list} onKeyDown={move}>
        {tabs.map(({ name, title }) => (
          <button
            type="button"
            role="tab"
            class="tab"
            key={name}
            id={`${id}-${name}`}
            data-name={name}
            aria-selected={name === current}
            aria-controls={`${id}-panel`}
            tabIndex={name === current ? 0 : -1}
            onClick={() => {
              onSelect(name)
            }}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current}`} class="tab-panel">
        {children}
      </div>
    </div>
  )
}
