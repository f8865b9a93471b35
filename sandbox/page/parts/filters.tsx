import { useLocation } from 'preact-iso'
import { useRef } from 'preact/hooks'
import { optionOf, type Option } from './fields.js'
import { Icon } from './icons.js'
import { useKeys } from './keyboard.js'

/**
 * The filters of a page, kept in its address, so that an address can be shared.
 *
 * @example
 * const [filters, setFilters] = useFilters()
 * setFilters({ status: 'dead', offset: undefined })
 */
export function useFilters() {
  const { query, route } = useLocation()
  const filters: Readonly<Record<string, string | undefined>> = query

  /** Changes the address as it is now: several filters may be set before the page is drawn again. */
  function setFilters(changed: Readonly<Record<string, string | undefined>>): void {
    const search = new URLSearchParams(location.search)
    for (const [name, value = ''] of Object.entries(changed)) {
      if (value === '') search.delete(name)
      else search.set(name, value)
    }
    go(search)
  }

  function go(search: URLSearchParams): void {
    const path = location.pathname.replace(/\/*$/, '/')
    route(search.size === 0 ? path : `${path}?${search.toString()}`, true)
  }

  const clear = () => go(new URLSearchParams())
  return [filters, setFilters, clear] as const
}

/** The filters of a list in the address of an item that is shown next to it. */
export function listSearch(): string {
  const search = new URLSearchParams(location.search)
  for (const name of ['attempt', 'check', 'view']) search.delete(name)
  return search.size === 0 ? '' : `?${search.toString()}`
}

interface SearchFieldProps {
  readonly label: string
  readonly value: string | undefined
  readonly onChoose: (text: string) => void
}

/** Searches while one types. "/" leads to it. */
export function SearchField({ label, value = '', onChoose }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const focus = () => input.current!.select()
  useKeys([{ keys: '/', does: 'Search', run: focus }])
  return (
    <div class="search">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        autoComplete="off"
        spellcheck={false}
        onInput={() => onChoose(input.current!.value)}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Escape') currentTarget.blur()
        }}
      />
      <kbd aria-hidden="true">/</kbd>
    </div>
  )
}

/** A text alone is a value and its title. */
export type FilterOptions = readonly (Option | string)[]

interface FilterSelectProps {
  readonly label: string
  readonly value: string | undefined
  /** The empty choice, which filters nothing, is added, and so is a value that is not among them. */
  readonly options: FilterOptions
  readonly onChoose: (value: string | undefined) => void
}

/** A filter with a few values. It is marked while it filters. */
export function FilterSelect({ label, value, options, onChoose }: FilterSelectProps) {
  const known = options.map((one): Option => (typeof one === 'string' ? [one, one] : one))
  const isKnown = value === undefined || known.some(([one]) => one === value)
  return (
    <select
      class="filter"
      aria-label={label}
      data-is-set={value !== undefined}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChoose(currentTarget.value === '' ? undefined : currentTarget.value)}
    >
      {[['', label] as const, ...known, ...(isKnown ? [] : [[value, `${label}: ${value}`] as const])].map(
        optionOf,
      )}
    </select>
  )
}
