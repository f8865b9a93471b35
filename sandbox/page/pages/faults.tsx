import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { useChanges } from '../api/changes.js'
import { get, put } from '../api/client.js'
import type { Faults as FaultSettings, Overview } from '../api/types.js'
import { Button } from '../parts/button.js'
import { CheckField, SelectField, type Option } from '../parts/fields.js'
import { PageHead, type View } from '../parts/page-head.js'
import { Panel } from '../parts/panel.js'
import { toastError } from '../parts/toasts.js'

/** Faults, of which those that are undefined are not set. */
type FaultValues = { readonly [Name in keyof FaultSettings]?: FaultSettings[Name] | undefined }

type DeliveryFaults = NonNullable<FaultSettings['deliveries']>
type ProviderFault = NonNullable<FaultSettings['providers']>['north']
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
  /** The title of each choice, by its value. */
  readonly options: Readonly<Record<string, string>>
  readonly of: (faults: FaultValues) => string
  readonly set: (faults: FaultValues, chosen: string) => FaultValues
}

const FIELDS: readonly FaultField[] = [
  {
    label: 'Delay of each attempt',
    options: { 0: 'None', 100: '100 ms', 1000: '1 s', 5000: '5 s', 30000: '30 s' },
    of: ({ deliveries }) => String(deliveries?.delayMs ?? 0),
    set: (faults, ms) => ({ ...faults, deliveries: { ...faults.deliveries, delayMs: Number(ms) } }),
  },
  {
    label: 'Vault, which saves cards',
    options: { '': 'Works', down: 'Down' },
    of: ({ vault }) => vault ?? '',
    set: (faults, chosen) => ({ ...faults, vault: chosen === '' ? undefined : 'down' }),
  },
  {
    label: 'Signature-key endpoint',
    options: { '': 'Works', slow: 'Slow', error: 'Answers 500', 'wrong-shape': 'Answers in another shape' },
    of: ({ secretEndpoint }) => secretEndpoint?.mode ?? '',
    set: (faults, mode) => ({
      ...faults,
      secretEndpoint: mode === '' ? undefined : { mode: mode as SecretFault },
    }),
  },
  {
    label: 'How often each fault happens',
    options: { 1: 'Always', 0.5: 'One in 2', 0.1: 'One in 10', 0.01: 'One in 100' },
    of: ({ chance }) => String(chance ?? 1),
    set: (faults, chance) => ({ ...faults, chance: Number(chance) }),
  },
]

/** `east` holds no agreements. */
const PROVIDERS = ['north', 'south', 'east'].map((id): FaultField => ({
  label: `Provider ${id}`,
  options: {
    '': 'Works',
    down: 'Down: it cannot be reached',
    slow: 'Slow: it answers after 5 s',
    declines: 'Declines every card',
    'rejects-stolen': 'Rejects every card as stolen',
  },
  of: ({ providers }) => providers?.[id as 'north'] ?? '',
  set: (faults, fault) => ({
    ...faults,
    providers: { ...faults.providers, [id]: fault === '' ? undefined : (fault as ProviderFault) },
  }),
}))

const PANELS = [
  ['The service', FIELDS],
  ['Providers', PROVIDERS],
] as const

/** What goes wrong from now on. Each field sets its fault at once. */
export function Faults({ views }: { readonly views: readonly View[] }) {
  const [faults, set] = useFaults()
  const endAll = () => set({})
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
                  onChange={(isChecked) =>
                    set({ ...faults, deliveries: { ...faults.deliveries, [name]: isChecked } })
                  }
                />
              ))}
            </div>
          </Panel>
          {PANELS.map(([title, fields]) => (
            <Panel key={title} title={title}>
              <div class="stack">
                {fields.map(({ label, options, of, ...field }) => (
                  <SelectField
                    key={label}
                    label={label}
                    value={of(faults)}
                    options={withOption(options, of(faults))}
                    onChange={(chosen) => set(field.set(faults, chosen))}
                  />
                ))}
              </div>
            </Panel>
          ))}
        </div>
      )}
    </>
  )
}

/** Another value may have been set by the API. */
function withOption(options: FaultField['options'], value: string): readonly Option[] {
  return Object.entries(value in options ? options : { ...options, [value]: value })
}

/** The faults that are set, undefined until they are loaded, and what sets others: all at once, as the service takes them. */
function useFaults(): readonly [FaultValues | undefined, (faults: FaultValues) => void] {
  const shown = useSignal<FaultValues | undefined>(undefined)
  const last = useRef<Promise<unknown>>(Promise.resolve())

  async function load(): Promise<void> {
    const answered = last.current
    await answered
    // Without an answer, the page shows that it is not connected, and loads again once it is.
    const overview = await get<Overview>('/_sandbox/overview/').catch(() => undefined)
    // An answer from before a change must not replace it.
    if (overview !== undefined && answered === last.current) shown.value = overview.faults
  }
  useEffect(() => void load(), [])
  useChanges(['faults'], () => void load())

  function set(faults: FaultValues): void {
    shown.value = faults
    last.current = last.current.then(() => put('/_sandbox/faults/', faults)).catch(toastError)
    // After a refusal, the page shows again which faults are set.
    void load()
  }
  return [shown.value, set]
}
