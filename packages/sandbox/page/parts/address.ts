import { useLocation } from 'preact-iso'

/**
 * The filters of a page, kept in its address, so that an address can be shared.
 *
 * @example
 * const [filters, setFilter] = useFilters()
 * setFilter('status', 'dead')
 */
export function useFilters(): readonly [
  filters: Readonly<Record<string, string | undefined>>,
  setFilter: (name: string, value: string | undefined) => void,
  clear: () => void,
] {
  const { path, query, route } = useLocation()

  function setFilter(name: string, value: string | undefined): void {
    // The address as it is now: several filters may be set before the page is drawn again.
    const search = new URLSearchParams(location.search)
    if (value === undefined || value === '') search.delete(name)
    else search.set(name, value)
    go(search)
  }

  function go(search: URLSearchParams): void {
    const text = search.toString()
    route(`${path === '/' ? '' : path}/${text === '' ? '' : `?${text}`}`, true)
  }

  return [
    query,
    setFilter,
    () => {
      go(new URLSearchParams())
    },
  ]
}
