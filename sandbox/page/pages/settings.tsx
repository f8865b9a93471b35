import { useSignal } from '@preact/signals'
import { post, put } from '../api/client.js'
import { useOverview } from '../api/resource.js'
import type { Overview } from '../api/types.js'
import { countText } from '../format.js'
import { Button } from '../parts/button.js'
import { confirm } from '../parts/dialog.js'
import { Facts, Panel } from '../parts/panel.js'
import { UrlField } from '../parts/fields.js'
import { bound, Form } from '../parts/form.js'
import { CopiedId } from '../parts/links.js'
import { PageHead } from '../parts/page-head.js'
import { toast } from '../parts/toasts.js'
import { FaultForm } from './fault-form.js'

export function SettingsPage() {
  const overview = useOverview(['settings', 'intent', 'customer', 'card', 'delivery']).data.value
  return (
    <>
      <PageHead title="Settings" />
      <div class="page-body item">
        <div class="item-main">
          {overview !== undefined && <DefaultEndpoint key={overview.default_endpoint} overview={overview} />}
          <FaultForm />
        </div>
        <div class="item-side">
          {overview !== undefined && <About overview={overview} />}
          <Reset />
        </div>
      </div>
    </>
  )
}

function DefaultEndpoint({ overview }: { readonly overview: Overview }) {
  const saved = overview.default_endpoint ?? ''
  const url = useSignal(saved)
  async function save(): Promise<void> {
    await put('/_sandbox/settings/', { default_endpoint: url.value === '' ? null : url.value })
    toast(url.value === '' ? 'There is no default endpoint now.' : `Events go to ${url.value}.`, 'good')
  }
  return (
    <Panel title="Default endpoint">
      <Form class="stack">
        <UrlField
          label="URL"
          name="default_endpoint"
          hint="Where the events of an intent without a webhook_url go. Empty: they are not sent."
          {...bound(url)}
        />
        <div class="form-actions">
          <Button kind="primary" isSubmit isDisabled={url.value === saved} onPress={save}>
            Save
          </Button>
        </div>
      </Form>
    </Panel>
  )
}

function About({ overview }: { readonly overview: Overview }) {
  const { url, version, is_persistent: isPersistent, data_folder: folder, keep, counts } = overview
  const link = (section: string, count: number) => <a href={`/${section}/`}>{count.toLocaleString('en')}</a>
  return (
    <Panel title="About">
      <Facts
        facts={[
          ['Version', version],
          ['Address', <CopiedId id={url} label="Copy the address" />],
          ['Data', isPersistent ? <code>{folder}</code> : 'in memory: gone with the process'],
          ['Kept', `the newest ${keep.toLocaleString('en')} of each kind, and 128 MiB of bodies and answers`],
          ['Payments', <a href="/intents/">{countText(counts.intents, 'intent', 'intents')}</a>],
          ['Customers', link('customers', counts.customers)],
          ['Cards', link('cards', counts.card_tokens)],
          ['Deliveries', link('deliveries', counts.delivered + counts.pending + counts.dead + counts.lost)],
          ['API', <a href="/openapi.json">openapi.json</a>],
        ]}
      />
    </Panel>
  )
}

function Reset() {
  async function reset(): Promise<void> {
    const isConfirmed = await confirm({
      title: 'Reset the sandbox?',
      text: 'Every payment, customer, card and delivery is removed. The first keys and the secret return.',
      action: 'Reset the sandbox',
    })
    if (!isConfirmed) return
    await post('/_sandbox/reset')
    toast('The sandbox is as it was at its start.', 'good')
  }
  return (
    <Panel title="Reset">
      <div class="stack">
        <p class="soft">Back to the state of the start, with the same keys and ids.</p>
        <div class="form-actions">
          <Button kind="danger" onPress={reset}>
            Reset the sandbox
          </Button>
        </div>
      </div>
    </Panel>
  )
}
