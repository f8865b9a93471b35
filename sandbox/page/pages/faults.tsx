import type { Faults as FaultSettings } from '../api/types.js'
import { Button } from '../parts/button.js'
import { CheckField, SelectField, type Option } from '../parts/fields.js'
import { PageHead, type View } from '../parts/page-head.js'
import { Panel } from '../parts/panel.js'
import { useFaults, type FaultValues } from './use-faults.js'

type DeliveryFaults = NonNullable<FaultSettings['deliveries']>
type SecretFault = NonNullable<FaultSettings['secretEndpoint']>['mode']

const DELIVERY_FAULTS: readonly (readonly [name: keyof DeliveryFaults, title: string, hint: string])[] = [
  ['duplicate', 'Send each twice', 'A correct endpoint handles one of them.'],
  ['lost', 'Lost', 'A delivery is never sent: only a job that lists paid intents finds out.'],
  ['reorder', 'Out of order', 'intent.processed is sent before the event of its transaction.'],
  ['tamper', 'Tampered', 'The amount is changed after signing: the endpoint must refuse it.'],
  ['stale', 'Stale', 'The timestamp is an hour old: the endpoint must refuse it.'],
]

interface FaultField {
  readonly label: string
  readonly options: readonly Option[]
  readonly of: (faults: FaultValues) => string
  readonly set: (faults: FaultValues, chosen: string) => FaultValues
}

const FIELDS: readonly FaultField[] = [
  {
    label: 'Delay of each attempt',
    options: [
      ['0', 'None'],
      ['100', '100 ms'],
      ['1000', '1 s'],
      ['5000', '5 s'],
      ['30000', '30 s'],
    ],
    of: ({ deliveries }) => String(deliveries?.delayMs ?? 0),
    set: (faults, ms) => ({ ...faults, deliveries: { ...faults.deliveries, delayMs: Number(ms) } }),
  },
  {
    label: 'Vault, which saves cards',
    options: [
      ['', 'Works'],
      ['down', 'Down'],
    ],
    of: ({ vault }) => vault ?? '',
    set: (faults, chosen) => ({ ...faults, vault: chosen === '' ? undefined : 'down' }),
  },
  {
    label: 'Signature-key endpoint',
    options: [
      ['', 'Works'],
      ['slow', 'Slow'],
      ['error', 'Answers 500'],
      ['wrong-shape', 'Answers in another shape'],
    ],
    of: ({ secretEndpoint }) => secretEndpoint?.mode ?? '',
    set: (faults, mode) => ({
      ...faults,
      secretEndpoint: mode === '' ? undefined : { mode: mode as SecretFault },
    }),
  },
  {
    label: 'How often each fault happens',
    options: [
      ['1', 'Always'],
      ['0.5', 'One in 2'],
      ['0.1', 'One in 10'],
      ['0.01', 'One in 100'],
    ],
    of: ({ chance }) => String(chance ?? 1),
    set: (faults, chance) => ({ ...faults, chance: Number(chance) }),
  },
]

/** What goes wrong from now on. Each field sets its fault at once. */
export function Faults({ views }: { readonly views: readonly View[] }) {
  const [faults, set] = useFaults()
  const endAll = () => {
    set({})
  }
  return (
    <>
      <PageHead title="Faults" views={views} actions={<Button onPress={endAll}>End all faults</Button>} />
      {faults !== undefined && (
        <div class="page-body columns">
          <Panel title="Deliveries">
            <div class="stack">
              {DELIVERY_FAULTS.map(([name, label, hint]) => (
                <CheckField
                  key={name}
                  label={label}
                  hint={hint}
                  isChecked={faults.deliveries?.[name] === true}
                  onChange={(isChecked) => {
                    set({ ...faults, deliveries: { ...faults.deliveries, [name]: isChecked } })
                  }}
                />
              ))}
            </div>
          </Panel>
          <Panel title="The service">
            <div class="stack">
              {FIELDS.map(({ label, options, of, ...field }) => (
                <SelectField
                  key={label}
                  label={label}
                  value={of(faults)}
                  options={withOption(options, of(faults))}
                  onChange={(chosen) => {
                    set(field.set(faults, chosen))
                  }}
                />
              ))}
            </div>
          </Panel>
        </div>
      )}
    </>
  )
}

/** Another value may have been set by the API. */
function withOption(options: readonly Option[], value: string): readonly Option[] {
  return options.some(([one]) => one === value) ? options : [...options, [value, value]]
}
