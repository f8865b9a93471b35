import { post } from '../api/client.js'
import type { Intent } from '../api/types.js'
import { Button } from '../parts/button.js'
import { Panel } from '../parts/panel.js'

/** What an intent waits for: the heading, and the buttons with what each sends. */
const STEPS: Readonly<
  Record<string, readonly [title: string, buttons: readonly (readonly [string, object])[]]>
> = {
  AWAITING_CHALLENGE: [
    'The bank asks for 3-D Secure',
    [
      ['Pass the challenge', { challenge: 'pass' }],
      ['Fail the challenge', { challenge: 'fail' }],
    ],
  ],
  AWAITING_CVV: ['The card needs its CVV', [['Enter 123', { cvv: '123' }]]],
}

/** What is left for the customer to do; nothing if there is no such step. */
export function CustomerSteps({ id, status }: Pick<Intent, 'id' | 'status'>) {
  const step = STEPS[status]
  if (step === undefined) return null
  const [title, buttons] = step
  return (
    <Panel title={title}>
      <div class="form-actions">
        {buttons.map(([name, body], index) => (
          <Button
            key={name}
            kind={index === 0 ? 'primary' : 'plain'}
            onPress={async () => {
              await post(`/_sandbox/intents/${id}/pay/`, body)
            }}
          >
            {name}
          </Button>
        ))}
      </div>
    </Panel>
  )
}
