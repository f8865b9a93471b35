import { useSignal } from '@preact/signals'
import { useRoute } from 'preact-iso'
import { getPage, post, put } from '../api/client.js'
import { useOverview } from '../api/resource.js'
import type { Overview } from '../api/types.js'
import { Button, CopiedId } from '../parts/button.js'
import { NotFound } from '../parts/empty.js'
import { UrlField } from '../parts/fields.js'
import { bound, Form } from '../parts/form.js'
import { KindItem, KindList } from '../parts/kind.js'
import { PageHead, type View } from '../parts/page-head.js'
import { Facts, Panel } from '../parts/panel.js'
import { toast } from '../parts/toasts.js'
import { Faults } from './faults.js'
import { Keys } from './keys.js'
import { REQUESTS } from './requests.js'

const VIEWS: readonly View[] = [
  ['/settings/', 'General'],
  ['/settings/keys/', 'Keys'],
  ['/settings/faults/', 'Faults'],
  ['/settings/requests/', 'API requests'],
]

export function SettingsPage() {
  const { part, id } = useRoute().params
  if (part === undefined) return <General />
  if (part === 'requests' && id !== undefined) return <KindItem key={id} kind={REQUESTS} id={id} />
  if (part === 'requests') return <KindList kind={REQUESTS} views={VIEWS} />
  if (part === 'keys') return <Keys views={VIEWS} />
  if (part === 'faults') return <Faults views={VIEWS} />
  return <NotFound />
}

function General() {
  const overview = useOverview(['settings']).data.value
  return (
    <>
      <PageHead title="Settings" views={VIEWS} />
      {overview !== undefined && (
        <div class="page-body item">
          <div class="item-main">
            <DefaultEndpoint key={overview.default_endpoint} overview={overview} />
            <Reset />
          </div>
          <div class="item-side">
            <About overview={overview} />
          </div>
        </div>
      )}
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
      <Form class="form-line">
        <UrlField
          label="URL"
          name="default_endpoint"
          hint="Where the events of an intent without a webhook_url go. Empty: they are not sent."
          {...bound(url)}
        />
        <Button kind="primary" isSubmit isDisabled={url.value === saved} onPress={save}>
          Save
        </Button>
      </Form>
    </Panel>
  )
}

function About({ overview }: { readonly overview: Overview }) {
  const { url, version, data_folder: folder, keep } = overview
  return (
    <Panel title="About">
      <Facts
        facts={[
          ['Version', version],
          ['Address', <CopiedId id={url} label="Copy the address" />],
          ['Data', folder === null ? 'in memory: gone with the process' : <code>{folder}</code>],
          ['Kept', `the newest ${keep.toLocaleString('en')} of each kind, and 128 MiB of bodies and answers`],
          ['API', <a href="/openapi.json">openapi.json</a>],
        ]}
      />
    </Panel>
  )
}

function Reset() {
  async function reset(): Promise<void> {
    const countOf = async (kind: string) => (await getPage(`/_sandbox/newest/${kind}/?limit=1`)).count
    const what = `payments: ${await countOf('intents')}, deliveries: ${await countOf('deliveries')}`
    if (!confirm(`Reset the sandbox? This removes ${what}. The first keys and the secret return.`)) return
    await post('/_sandbox/reset')
    toast('The sandbox is as it was at its start.', 'good')
  }
  return (
    <Panel title="Reset">
      <div class="form-line">
        <p class="soft">Back to the state of the start, with the same keys and ids.</p>
        <Button kind="danger" onPress={reset}>
          Reset the sandbox
        </Button>
      </div>
    </Panel>
  )
}
