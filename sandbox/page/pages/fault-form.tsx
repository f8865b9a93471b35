import { changeFaults, setFaults, useFaults, type FaultChanges } from '../api/faults.js'
import type { Faults } from '../api/types.js'
import { Badge } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { CheckField, SelectField, TextField, type Option } from '../parts/fields.js'
import { Panel } from '../parts/panel.js'
import { toast, toastError } from '../parts/toasts.js'

type SecretFault = NonNullable<Faults['secretEndpoint']>['mode']
type DeliveryFaults = NonNullable<Faults['deliveries']>

const DELIVERY_FAULTS: readonly (readonly [name: keyof DeliveryFaults, title: string, hint: string])[] = [
  ['duplicate', 'Send each twice', 'A correct endpoint handles one of them.'],
  ['lost', 'Lost', 'A delivery is never sent: only a job that lists paid intents finds out.'],
  ['reorder', 'Out of order', 'intent.processed is sent before the event of its transaction.'],
  ['tamper', 'Tampered', 'The amount is changed after signing: the endpoint must refuse it.'],
  ['stale', 'Stale', 'The timestamp is an hour old: the endpoint must refuse it.'],
]

const SECRET_FAULTS: readonly Option[] = [
  ['', 'Works'],
  ['slow', 'Slow'],
  ['error', 'Answers 500'],
  ['wrong-shape', 'Answers in another shape'],
]

const CHANCES: readonly Option[] = [
  ['1', 'Always'],
  ['0.5', 'One in 2'],
  ['0.1', 'One in 10'],
  ['0.01', 'One in 100'],
]

/** A field that sets its faults at once. */
function setting<Value>(changes: (value: Value) => FaultChanges) {
  return (value: Value): void => {
    changeFaults(changes(value)).catch(toastError)
  }
}

/** What goes wrong from now on. */
export function FaultForm() {
  const faults = useFaults()
  if (faults === undefined) return null
  const { deliveries = {}, secretEndpoint, vault, chance = 1 } = faults
  const isSet = Object.keys(faults).some((name) => name !== 'chance')
  const endAll = async () => {
    await setFaults({})
    toast('Every fault has ended.', 'good')
  }
  return (
    <Panel
      title="Faults"
      tools={
        <>
          {isSet && <Badge tone="wait">faults are set</Badge>}
          <Button isSmall isDisabled={!isSet} onPress={endAll}>
            End all faults
          </Button>
        </>
      }
    >
      <div class="form">
        <fieldset class="stack">
          <legend>Deliveries</legend>
          {DELIVERY_FAULTS.map(([name, title, hint]) => (
            <CheckField
              key={name}
              label={title}
              hint={hint}
              isChecked={deliveries[name] === true}
              onChange={setting((isChecked) => ({ deliveries: { ...deliveries, [name]: isChecked } }))}
            />
          ))}
          <DelayField
            label="Delay of each attempt, in ms"
            value={deliveries.delayMs}
            onChange={setting((delayMs) => ({ deliveries: { ...deliveries, delayMs } }))}
          />
        </fieldset>
        <fieldset class="stack">
          <legend>The service</legend>
          <CheckField
            label="The vault is down"
            hint="No card is saved, and cards that only the vault has cannot be charged."
            isChecked={vault === 'down'}
            onChange={setting((isDown) => ({ vault: isDown ? 'down' : undefined }))}
          />
          <SelectField
            label="Signature-key endpoint"
            value={secretEndpoint?.mode ?? ''}
            options={SECRET_FAULTS}
            onChange={setting((mode) => ({
              secretEndpoint: mode === '' ? undefined : { mode: mode as SecretFault },
            }))}
          />
          {secretEndpoint?.mode === 'slow' && (
            <DelayField
              label="How slow, in ms"
              value={secretEndpoint.delayMs ?? 10_000}
              onChange={setting((delayMs) => ({ secretEndpoint: { mode: 'slow', delayMs } }))}
            />
          )}
          <SelectField
            label="How often each fault happens"
            value={String(chance)}
            options={CHANCES}
            onChange={setting((chosen) => ({ chance: Number(chosen) }))}
          />
          <p class="hint">
            The faults of each provider are on the page <a href="/providers/">Providers</a>.
          </p>
        </fieldset>
      </div>
    </Panel>
  )
}

interface DelayFieldProps {
  readonly label: string
  readonly value: number | undefined
  readonly onChange: (milliseconds: number) => void
}

const MAX_DELAY_MS = 600_000

function DelayField({ label, value, onChange }: DelayFieldProps) {
  return (
    <TextField
      label={label}
      inputMode="numeric"
      placeholder="0"
      value={value === undefined ? '' : String(value)}
      onChange={(text) => {
        const milliseconds = Number(text)
        if (/^\d*$/.test(text) && milliseconds <= MAX_DELAY_MS) onChange(milliseconds)
      }}
    />
  )
}
