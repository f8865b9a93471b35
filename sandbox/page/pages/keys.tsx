import { useSignal } from '@preact/signals'
import { useChanges } from '../api/changes.js'
import { post } from '../api/client.js'
import { useOverview } from '../api/resource.js'
import type { Account, Key, Overview, Revealed } from '../api/types.js'
import { ModeBadge, StatusBadge } from '../parts/badge.js'
import { Button, CopyButton } from '../parts/button.js'
import { Problem } from '../parts/empty.js'
import { MODES, SelectField } from '../parts/fields.js'
import { bound, Form } from '../parts/form.js'
import { PageHead, type View } from '../parts/page-head.js'
import { Panel } from '../parts/panel.js'
import { CREATED, TablePanel, type Column } from '../parts/table.js'
import { toast, toastError } from '../parts/toasts.js'
import './keys.css'

/** The signing secret, the keys and the accounts. Keys are loaded in full only while they are shown. */
export function Keys({ views }: { readonly views: readonly View[] }) {
  const { data, problem, reload } = useOverview(['key', 'account', 'organization'])
  const revealed = useSignal<Revealed | undefined>(undefined)
  const isShown = revealed.value !== undefined
  const overview = data.value
  const reveal = async () => {
    revealed.value = await post<Revealed>('/_sandbox/keys/reveal/')
  }
  const hide = () => {
    revealed.value = undefined
  }
  useChanges(['key', 'organization'], () => {
    if (isShown) reveal().catch(toastError)
  })
  const { accounts, keys } = { ...overview, ...revealed.value } as Overview
  const { webhook_signature_secret: secret = '' } = { ...overview?.organization, ...revealed.value }
  return (
    <>
      <PageHead
        title="Keys"
        views={views}
        actions={
          <Button isPressed={isShown} onPress={isShown ? hide : reveal}>
            {isShown ? 'Hide the keys' : 'Show the keys'}
          </Button>
        }
      />
      {overview === undefined ? (
        problem.value !== undefined && <Problem message={problem.value.message} onRetry={reload} />
      ) : (
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
          <TablePanel
            title="Keys"
            columns={columnsFor(accounts, isShown)}
            items={[...keys].reverse()}
            empty="There is no key."
          />
          <CreateKey accounts={accounts} onMade={reveal} />
          <TablePanel
            title="Accounts"
            columns={ACCOUNT_COLUMNS}
            items={accounts}
            empty="There is no account."
          />
        </div>
      )}
    </>
  )
}

const ACCOUNT_COLUMNS: readonly Column<Account>[] = [
  { title: 'Name', view: ({ name }) => name },
  { title: 'Account', view: ({ id }) => <code>{id}</code> },
  CREATED,
]

function columnsFor(accounts: readonly Account[], isShown: boolean): readonly Column<Key>[] {
  const nameOf = (account: string | null) => accounts.find(({ id }) => id === account)?.name ?? 'Organization'
  return [
    {
      title: 'Owner',
      view: ({ account, is_live: isLive }) => (
        <>
          {nameOf(account)} {isLive === null ? 'in both modes' : <ModeBadge isLive={isLive} />}
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
      view: ({ id, is_revoked: isRevoked }) =>
        isRevoked ? (
          <StatusBadge status="revoked" />
        ) : (
          <Button isSmall label={`Revoke ${id}`} onPress={() => revoke(id)}>
            Revoke
          </Button>
        ),
    },
    CREATED,
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

async function revoke(id: string): Promise<void> {
  if (!confirm('Revoke the key? Requests with it are refused with 401. This cannot be undone.')) return
  await post(`/_sandbox/keys/${id}/revoke/`)
  toast('Revoked the key.', 'good')
}

async function rotate(): Promise<void> {
  const effect = 'Endpoints that keep the present one refuse new deliveries.'
  if (!confirm(`Rotate the signing secret? ${effect}`)) return
  await post('/_sandbox/secret/rotate/')
  toast('The secret was replaced. The signature-key endpoint returns the new one.', 'good')
}

interface CreateKeyProps {
  readonly accounts: readonly Account[]
  readonly onMade: () => Promise<void>
}

function CreateKey({ accounts, onMade }: CreateKeyProps) {
  const account = useSignal(accounts[0]?.id ?? '')
  const isLive = useSignal('false')
  async function create(): Promise<void> {
    const owner = { type: 'account', account: account.value, is_live: isLive.value === 'true' }
    await post('/_sandbox/keys/', account.value === '' ? { type: 'organization' } : owner)
    await onMade()
  }
  return (
    <Panel title="Create a key">
      <Form class="form-line">
        <SelectField
          label="Account"
          options={[...accounts.map(({ id, name }) => [id, name] as const), ['', 'The organization']]}
          {...bound(account)}
        />
        {account.value !== '' && <SelectField label="Mode" options={MODES} {...bound(isLive)} />}
        <Button kind="primary" isSubmit onPress={create}>
          Create the key
        </Button>
      </Form>
    </Panel>
  )
}
