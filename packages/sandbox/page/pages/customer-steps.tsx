import { post } from '../api/client.js'
import { Button } from '../parts/button.js'
import { Panel } from '../parts/panel.js'

interface CustomerStepsProps {
  readonly intent: { readonly id: string; readonly status: string }
  readonly onDone: () => void
}

/** What is left for the customer to do, such as 3-D Secure; nothing if there is no such step. */
export function CustomerSteps({ intent: { id, status }, onDone }: CustomerStepsProps) {
  const send = (body: object) => async () => {
    await post(`/_sandbox/intents/${id}/pay/`, body)
    onDone()
  }
  if (status === 'AWAITING_CHALLENGE') {
    return (
      <Panel title="The bank asks for 3-D Secure">
        <div class="form-actions">
          <Button kind="primary" onPress={send({ challenge: 'pass' })}>
            Pass the challenge
          </Button>
          <Button onPress={send({ challenge: 'fail' })}>Fail the challenge</Button>
        </div>
      </Panel>
    )
  }
  if (status !== 'AWAITING_CVV') return null
  return (
    <Panel title="The card needs its CVV">
      <div class="form-actions">
        <Button kind="primary" onPress={send({ cvv: '123' })}>
          Enter 123
        </Button>
      </div>
    </Panel>
  )
}
