import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { post } from '../api/client.js'
import { useOverview } from '../api/resource.js'
import type { Account, Key, Overview, Revealed } from '../api/types.js'
import { countText } from '../format.js'
import { Badge, ModeBadge, StatusBadge } from '../parts/badge.js'
import { Button, CopyButton } from '../parts/button.js'
import { confirm } from '../parts/dialog.js'
import { Problem } from '../parts/empty.js'
import { PageHead } from '../parts/page-head.js'
import { Panel } from '../parts/panel.js'
import { PlainTable, type PlainColumn } from '../parts/plain-table.js'
import { createSelection, SelectBox } from '../parts/selection.js'
import { Ago } from '../parts/times.js'
import { toast, toastError } from '../parts/toasts.js'
import { AccountDialog, KeyDialog } from './key-dialogs.js'
import './keys.css'

const selection = createSelection()

export function KeysPage() {
  const { data, problem, reload } = useOverview(['key', 'account', 'organization'])
  const isRevealed = useSignal(false)
  const dialog = useSignal<'key' | 'account' | undefined>(undefined)
  const overview = data.value
  const show = (name: 'key' | 'account' | undefined) => () => {
    dialog.value = name
  }
  return (
    <>
      <PageHead
        title="Keys"
        actions={
          <>
            <Button
              isPressed={isRevealed.value}
              onPress={() => {
                isRevealed.value = !isRevealed.value
              }}
            >
              {isRevealed.value ? 'Hide the keys' : 'Show the keys'}
            </Button>
            <Button onPress={show('account')}>Create an account</Button>
            <Button kind="primary" onPress={show('key')}>
              Create a key
            </Button>
          </>
        }
      />
      {overview === undefined ? (
        problem.value !== undefined && <Problem message={problem.value.message} onRetry={reload} />
      ) : (
        <KeysView
          key={isRevealed.value ? JSON.stringify(overview.keys) : 'masked'}
          overview={overview}
          isRevealed={isRevealed.value}
        />
      )}
      {dialog.value === 'key' && <KeyDialog accounts={overview?.accounts ?? []} onClose={show(undefined)} />}
      {dialog.value === 'account' && <AccountDialog onClose={show(undefined)} />}
    </>
  )
}

interface KeysViewProps {
  readonly overview: Overview
  readonly isRevealed: boolean
}

/** The keys in full are loaded when they are shown, and gone with the component. */
function KeysView({ overview, isRevealed }: KeysViewProps) {
  const { organization, accounts } = overview
  const revealed = useSignal<Revealed | undefined>(undefined)
  useEffect(() => {
    const load = async () => {
      revealed.value = await post<Revealed>('/_sandbox/keys/reveal/')
    }
    if (isRevealed) load().catch(toastError)
  }, [])
  const keys = revealed.value?.keys ?? overview.keys
  const secret = revealed.value?.webhook_signature_secret ?? organization.webhook_signature_secret
  const isShown = revealed.value !== undefined
  return (
    <div class="page-body stack">
      <Panel
        title="Signing secret"
        tools={
          <Button isSmall onPress={rotate}>
            Rotate the secret
          </Button>
        }
      >
        <p>
          <KeyText value={secret} isShown={isShown} />
        </p>
        <p class="hint">
          Signs v2 and v3 of every delivery. A merchant gets it from the signature-key endpoint.
        </p>
      </Panel>
      <Panel title="Keys" isFlush tools={<SelectedActions keys={keys} />}>
        <PlainTable
          label="Keys"
          columns={columnsFor(accounts, isShown)}
          items={[...keys].reverse()}
          empty="There is no key."
        />
      </Panel>
      <Panel title="Accounts" isFlush>
        <PlainTable
          label="Accounts"
          columns={ACCOUNT_COLUMNS}
          items={accounts}
          empty="There is no account."
        />
      </Panel>
    </div>
  )
}

const ACCOUNT_COLUMNS: readonly PlainColumn<Account>[] = [
  { title: 'Name', view: ({ name }) => name },
  { title: 'Account', view: ({ id }) => <code>{id}</code> },
  { title: 'Created', isNumber: true, isWide: true, view: ({ created }) => <Ago at={created} /> },
]

function columnsFor(accounts: readonly Account[], isShown: boolean): readonly PlainColumn<Key>[] {
  return [
    {
      title: 'Select',
      view: ({ id, is_revoked: isRevoked }) =>
        !isRevoked && <SelectBox selection={selection} id={id} label={`Select ${id}`} />,
    },
    {
      title: 'Of',
      view: ({ type, account, is_live: isLive }) => (
        <>
          {type === 'organization'
            ? 'Organization'
            : (accounts.find(({ id }) => id === account)?.name ?? account)}{' '}
          {isLive === null ? <Badge tone="plain">both modes</Badge> : <ModeBadge isLive={isLive} />}
        </>
      ),
    },
    { title: 'API key', view: ({ api_key: value }) => <KeyText value={value} isShown={isShown} /> },
    {
      title: 'Public key',
      isWide: true,
      view: ({ public_api_key: value }) => value !== null && <KeyText value={value} isShown={isShown} />,
    },
    {
      title: 'Status',
      view: ({ is_revoked: isRevoked }) => <StatusBadge status={isRevoked ? 'revoked' : 'active'} />,
    },
    {
      title: 'Created',
      isNumber: true,
      isWide: true,
      view: ({ created }) => (
        <span class="soft">
          <Ago at={created} />
        </span>
      ),
    },
  ]
}

function KeyText({ value, isShown }: { readonly value: string; readonly isShown: boolean }) {
  return (
    <span class="key-text">
      <code>{value}</code>
      {isShown && <CopyButton text={value} label="Copy the key" isIcon />}
    </span>
  )
}

function SelectedActions({ keys }: { readonly keys: readonly Key[] }) {
  const ids = keys.filter(({ id, is_revoked }) => !is_revoked && selection.value.has(id)).map(({ id }) => id)
  if (ids.length === 0) return <span class="soft">Select keys to revoke them.</span>
  const selected = countText(ids.length, 'key', 'keys')
  const action = `Revoke ${selected}`
  async function revoke(): Promise<void> {
    const text = 'Requests with a revoked key are refused with 401. This cannot be undone.'
    if (!(await confirm({ title: `${action}?`, text, action }))) return
    await post('/_sandbox/keys/revoke/', { ids })
    selection.value = new Set()
    toast(`Revoked ${selected}.`, 'good')
  }
  return (
    <Button kind="danger" isSmall onPress={revoke}>
      {action}
    </Button>
  )
}

async function rotate(): Promise<void> {
  const isConfirmed = await confirm({
    title: 'Rotate the signing secret?',
    text: 'New deliveries are signed with another secret. Endpoints that keep the present one refuse them.',
    action: 'Rotate the secret',
  })
  if (!isConfirmed) return
  await post('/_sandbox/secret/rotate/')
  toast('The secret was replaced. The signature-key endpoint returns the new one.', 'good')
}
