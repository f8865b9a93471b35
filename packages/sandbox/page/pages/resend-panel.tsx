import { ApiError, get, post } from '../api/client.js'
import type { Delivery, Fault } from '../api/types.js'
import { Button, CopyButton } from '../parts/button.js'

const FORGERIES: readonly { readonly fault: Fault; readonly title: string; readonly hint: string }[] = [
  { fault: 'tamper', title: 'Tampered', hint: 'The amount is changed after signing' },
  { fault: 'stale', title: 'Stale', hint: 'The timestamp is an hour old' },
  { fault: 'wrong-secret', title: 'Wrong secret', hint: 'Signed with another secret and another key' },
  { fault: 'no-signature', title: 'No signature', hint: 'Without the header Service-Signature' },
]

interface ResendPanelProps {
  readonly delivery: Delivery
  /** Called with the delivery after the attempt. */
  readonly onSent: (delivery: Delivery) => void
}

/** Sends a delivery again as a forgery, which the endpoint must refuse. */
export function ForgeryButtons({ delivery, onSent }: ResendPanelProps) {
  return (
    <section class="side-panel" aria-labelledby="forgeries">
      <h2 id="forgeries">Send a forgery</h2>
      <p class="soft">Your endpoint must refuse each of these.</p>
      <div class="forgeries">
        {FORGERIES.map(({ fault, title, hint }) => (
          <Button
            key={fault}
            isSmall
            title={hint}
            onPress={async () => {
              onSent(await resend(delivery, fault))
            }}
          >
            {title}
          </Button>
        ))}
      </div>
    </section>
  )
}

/** Waits for the answer of the endpoint. */
export function resend(delivery: Delivery, fault?: Fault): Promise<Delivery> {
  const body = fault === undefined ? {} : { [fault.replace('-', '_')]: true }
  return post<Delivery>(`/_sandbox/deliveries/${delivery.id}/resend/`, body)
}

const FORMATS = [
  ['curl', 'curl'],
  ['fixture', 'Fixture'],
  ['vector', 'Test vector'],
  ['har', 'HAR'],
] as const

interface ExportPanelProps {
  readonly delivery: Delivery
  readonly attempt: number
}

/** Copies an attempt for a shell, for a test, or for another program. */
export function ExportPanel({ delivery, attempt }: ExportPanelProps) {
  return (
    <section class="side-panel" aria-labelledby="exports">
      <h2 id="exports">Copy as</h2>
      <div class="forgeries">
        {FORMATS.map(([format, label]) => (
          <CopyButton
            key={format}
            label={label}
            text={() =>
              exported(`/_sandbox/deliveries/${delivery.id}/export/?format=${format}&attempt=${attempt}`)
            }
          />
        ))}
      </div>
      <p class="soft">A test vector contains the signing secret of the sandbox.</p>
    </section>
  )
}

/** A file, which is not in an envelope. */
async function exported(path: string): Promise<string> {
  const response = await fetch(path)
  // The error is one, and says why.
  if (!response.ok) return get<string>(path)
  const text = await response.text()
  if (text === '') throw new ApiError('The file is empty.')
  return text
}
