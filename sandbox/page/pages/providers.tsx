import type { Faults, Provider } from '../api/types.js'
import { changeFaults, useFaults } from '../api/faults.js'
import { useResource } from '../api/resource.js'
import { Badge } from '../parts/badge.js'
import { Problem } from '../parts/empty.js'
import { SelectField, type Option } from '../parts/fields.js'
import { itemPath } from '../parts/links.js'
import { Facts, Panel } from '../parts/panel.js'
import { PageHead } from '../parts/page-head.js'
import { toastError } from '../parts/toasts.js'
import './providers.css'

const FAULTS: readonly Option[] = [
  ['', 'Works'],
  ['down', 'Down: it cannot be reached'],
  ['slow', 'Slow: it answers after 5 s'],
  ['declines', 'Declines every card'],
  ['rejects-stolen', 'Rejects every card as stolen'],
]

/** The providers that charge cards, what is wrong with each, and which agreements each covers. */
export function ProvidersPage() {
  const { data, problem, reload } = useResource<readonly Provider[]>('/_sandbox/providers/', {
    kinds: ['faults', 'intent', 'card', 'agreement'],
  })
  const faults = useFaults()
  return (
    <>
      <PageHead title="Providers" />
      <div class="page-body providers">
        {data.value === undefined && problem.value !== undefined && (
          <Problem message={problem.value.message} onRetry={reload} />
        )}
        {faults !== undefined &&
          data.value?.map((provider) => (
            <ProviderPanel key={provider.id} provider={provider} faults={faults.providers ?? {}} />
          ))}
      </div>
    </>
  )
}

interface ProviderPanelProps {
  readonly provider: Provider
  readonly faults: NonNullable<Faults['providers']>
}

function ProviderPanel({ provider, faults }: ProviderPanelProps) {
  const { id, maps_agreements: mapsAgreements, counts, coverage } = provider
  const fault = faults[id] ?? ''
  function set(chosen: string): void {
    const others = Object.entries(faults).filter(([name]) => name !== id)
    const changed = Object.fromEntries([...others, ...(chosen === '' ? [] : [[id, chosen]])]) as typeof faults
    changeFaults({ providers: changed }).catch(toastError)
  }
  return (
    <Panel
      title={id}
      tools={<Badge tone={fault === '' ? 'good' : 'bad'}>{fault === '' ? 'works' : fault}</Badge>}
    >
      <div class="stack">
        <SelectField label={`Behavior of ${id}`} value={fault} options={FAULTS} onChange={set} />
        <Facts
          facts={[
            ['Successful', counts.successful.toLocaleString('en')],
            ['Failed', counts.failed.toLocaleString('en')],
            ['Cards', counts.card_tokens.toLocaleString('en')],
            ['Agreements', mapsAgreements ? 'holds coverage' : 'holds no coverage'],
          ]}
        />
        {coverage.length > 0 && (
          <>
            <h3>Covered agreements</h3>
            <ul class="coverage">
              {coverage.map(({ key, agreement_id: agreement }) => (
                <li key={key}>
                  <a href={itemPath('agreements', key)}>{agreement}</a>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </Panel>
  )
}
