import { useResource } from '../api/resource.js'
import type { Provider } from '../api/types.js'
import { Badge } from '../parts/badge.js'
import { Problem } from '../parts/empty.js'
import { SelectField, type Option } from '../parts/fields.js'
import { PageHead, type View } from '../parts/page-head.js'
import { Facts, Panel } from '../parts/panel.js'
import { useFaults } from './use-faults.js'

const FAULTS: readonly Option[] = [
  ['', 'Works'],
  ['down', 'Down: it cannot be reached'],
  ['slow', 'Slow: it answers after 5 s'],
  ['declines', 'Declines every card'],
  ['rejects-stolen', 'Rejects every card as stolen'],
]

/** The providers that charge cards, and what is wrong with each. */
export function Providers({ views }: { readonly views: readonly View[] }) {
  const { data, problem, reload } = useResource<readonly Provider[]>('/_sandbox/providers/', {
    kinds: ['intent', 'card', 'agreement'],
  })
  const [faults, set] = useFaults()
  const faultOf = (id: Provider['id']) => faults?.providers?.[id] ?? ''
  return (
    <>
      <PageHead title="Providers" views={views} />
      {problem.value !== undefined && <Problem message={problem.value.message} onRetry={reload} />}
      <div class="page-body columns">
        {data.value?.map(({ id, maps_agreements: mapsAgreements, counts }) => (
          <Panel
            key={id}
            title={id}
            tools={<Badge tone={faultOf(id) === '' ? 'good' : 'bad'}>{faultOf(id) || 'works'}</Badge>}
          >
            <div class="stack">
              <SelectField
                label={`Behavior of ${id}`}
                value={faultOf(id)}
                options={FAULTS}
                onChange={(fault) => {
                  set({ ...faults, providers: { ...faults?.providers, [id]: fault || undefined } })
                }}
              />
              <Facts
                facts={[
                  ['Successful', counts.successful.toLocaleString('en')],
                  ['Failed', counts.failed.toLocaleString('en')],
                  ['Cards', counts.card_tokens.toLocaleString('en')],
                  ['Agreements', mapsAgreements ? counts.agreements.toLocaleString('en') : 'holds none'],
                ]}
              />
            </div>
          </Panel>
        ))}
      </div>
    </>
  )
}
