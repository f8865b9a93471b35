import { useLocation } from 'preact-iso'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { coalesced } from '../api/changes.js'
import type { Option } from './fields.js'
import { Icon } from './icons.js'
import { useKeys } from './keyboard.js'

const TYPING_MS = 100

/**
 * The filters of a page, kept in its address, so that an address can be shared. `clear` keeps only "view", which names one of
 * the lists of a page.
 *
 * @example
 * const [filters, setFilter] = useFilters()
 * setFilter('status', 'dead')
 */
export function useFilters() {
  const { query, route } = useLocation()
  const filters: Readonly<Record<string, string | undefined>> = query

  /** Changes the address as it is now: several filters may be set before the page is drawn again. */
  function setFilter(name: string, value: string | undefined): void {
    const search = new URLSearchParams(location.search)
    if (value === undefined || value === '') search.delete(name)
    else search.set(name, value)
    go(search)
  }

  function go(search: URLSearchParams): void {
    const path = location.pathname.replace(/\/*$/, '/')
    route(search.size === 0 ? path : `${path}?${search.toString()}`, true)
  }

  function clear(): void {
    const { view } = filters
    go(new URLSearchParams(view === undefined ? {} : { view }))
  }

  return [filters, setFilter, clear] as const
}

interface SearchFieldProps {
  readonly label: string
  readonly value: string | undefined
  readonly onChoose: (text: string) => void
}

/** Searches while one types. "/" leads to it. */
export function SearchField({ label, value = '', onChoose }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const latestOnChoose = useRef(onChoose)
  latestOnChoose.current = onChoose
  // The first letter is searched for at once, and the ones that follow together.
  const search = useMemo(
    () =>
      coalesced(() => {
        // There is no field any more if the page was left meanwhile.
        if (input.current !== null) latestOnChoose.current(input.current.value.trim())
        return Promise.resolve()
      }, TYPING_MS),
    [],
  )
  useKeys([
    {
      keys: '/',
      does: 'Search',
      run: () => {
        input.current!.select()
      },
    },
  ])
  // The address may change by itself, but what is being typed must stay.
  useLayoutEffect(() => {
    const field = input.current!
    if (field !== document.activeElement) field.value = value
  }, [value])
  return (
    <div class="search">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={label}
        defaultValue={value}
        autoComplete="off"
        spellcheck={false}
        onInput={search}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Escape') currentTarget.blur()
        }}
      />
      <kbd aria-hidden="true">/</kbd>
    </div>
  )
}

export interface FilterSelectProps {
  readonly label: string
  readonly value: string | undefined
  /** A text alone is a value and its title. The empty choice, which filters nothing, is added. */
  readonly options: readonly (Option | string)[]
  readonly onChoose: (value: string | undefined) => void
}

/** A filter with a few values. It is marked while it filters. */
export function FilterSelect({ label, value, options, onChoose }: FilterSelectProps) {
  const offered = options.map((one): Option => (typeof one === 'string' ? [one, one] : one))
  const isUnknown = value !== undefined && !offered.some(([one]) => one === value)
  return (
    <select
      class="filter"
      aria-label={label}
      data-is-set={value !== undefined}
      value={value ?? ''}
      onChange={({ currentTarget }) => {
        onChoose(currentTarget.value === '' ? undefined : currentTarget.value)
      }}
    >
      <option value="">{label}</option>
      {offered.map(([one, title]) => (
        <option value={one} key={one}>
          {title}
        </option>
      ))}
      {isUnknown && <option value={value}>{value}</option>}
    </select>
  )
}

/** A filter that was set by a link, with a way to remove it. */
export function FilterChip({ label, value, onChoose }: Omit<FilterSelectProps, 'options'>) {
  return (
    <button
      type="button"
      class="chip"
      title="Remove this filter"
      onClick={() => {
        onChoose(undefined)
      }}
    >
      <span>{label}</span> <code>{value}</code> <Icon name="close" />
    </button>
  )
}
