import { Fragment, type ComponentChildren } from 'preact'

export type Fact = readonly [name: string, value: ComponentChildren]

/** Names and values of an item. Values that it does not have are left out. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false)
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
    </dl>
  )
}
