import { useSignal } from '@preact/signals'
import { post } from '../api/client.js'
import type { Account, Key } from '../api/types.js'
import { Button } from '../parts/button.js'
import { Dialog } from '../parts/dialog.js'
import { Facts } from '../parts/panel.js'
import { Choice, SelectField, TextField } from '../parts/fields.js'
import { CopiedId } from '../parts/links.js'

interface KeyDialogProps {
  readonly accounts: readonly Account[]
  readonly onClose: () => void
}

/** Creates a key, and shows it. */
export function KeyDialog({ accounts, onClose }: KeyDialogProps) {
  const type = useSignal<string>('account')
  const account = useSignal(accounts[0]?.id ?? '')
  const isLive = useSignal('false')
  const made = useSignal<Key | undefined>(undefined)

  async function create(): Promise<void> {
    const ofAccount = { account: account.value, is_live: isLive.value === 'true' }
    const body = { type: type.value, ...(type.value === 'account' && ofAccount) }
    made.value = await post<Key>('/_sandbox/keys/', body)
  }

  if (made.value !== undefined) {
    const { api_key, public_api_key } = made.value
    return <MadeKey title="The new key" apiKey={api_key} publicKey={public_api_key} onClose={onClose} />
  }
  return (
    <Dialog title="Create a key" onClose={onClose}>
      <DialogForm action="Create the key" onSubmit={create} onCancel={onClose}>
        <Choice
          label="For"
          value={type.value}
          options={[
            ['account', 'An account'],
            ['organization', 'The organization'],
          ]}
          onChange={(value) => {
            type.value = value
          }}
        />
        {type.value === 'account' && (
          <>
            <SelectField
              label="Account"
              value={account.value}
              options={accounts.map(({ id, name }) => [id, name])}
              onChange={(value) => {
                account.value = value
              }}
            />
            <Choice
              label="Mode"
              value={isLive.value}
              options={[
                ['false', 'Test'],
                ['true', 'Live'],
              ]}
              onChange={(value) => {
                isLive.value = value
              }}
            />
          </>
        )}
      </DialogForm>
    </Dialog>
  )
}

interface NewAccount {
  readonly name: string
  readonly api_key: string
  readonly public_api_key: string
}

/** Creates an account, and shows its first key. */
export function AccountDialog({ onClose }: { readonly onClose: () => void }) {
  const name = useSignal('')
  const made = useSignal<NewAccount | undefined>(undefined)
  async function create(): Promise<void> {
    made.value = await post<NewAccount>('/_sandbox/accounts/', { name: name.value.trim() })
  }
  if (made.value !== undefined) {
    const { api_key, public_api_key } = made.value
    return (
      <MadeKey
        title={`The first key of ${made.value.name}`}
        apiKey={api_key}
        publicKey={public_api_key}
        onClose={onClose}
      />
    )
  }
  return (
    <Dialog title="Create an account" onClose={onClose}>
      <DialogForm
        action="Create the account"
        onSubmit={create}
        onCancel={onClose}
        isDisabled={name.value.trim() === ''}
      >
        <TextField
          label="Name"
          placeholder="Shop in Berlin"
          hint="Each account has payments, customers and keys of its own."
          value={name.value}
          onChange={(value) => {
            name.value = value
          }}
        />
      </DialogForm>
    </Dialog>
  )
}

interface DialogFormProps {
  readonly action: string
  readonly onSubmit: () => Promise<void>
  readonly onCancel: () => void
  readonly isDisabled?: boolean
  readonly children: preact.ComponentChildren
}

function DialogForm({ action, onSubmit, onCancel, isDisabled = false, children }: DialogFormProps) {
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
      }}
    >
      {children}
      <div class="dialog-actions">
        <Button onPress={onCancel}>Cancel</Button>
        <Button kind="primary" isSubmit isDisabled={isDisabled} onPress={onSubmit}>
          {action}
        </Button>
      </div>
    </form>
  )
}

interface MadeKeyProps {
  readonly title: string
  readonly apiKey: string
  readonly publicKey: string | null
  readonly onClose: () => void
}

function MadeKey({ title, apiKey, publicKey, onClose }: MadeKeyProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Facts
        facts={[
          ['API key', <CopiedId id={apiKey} label="Copy the key" />],
          ['Public key', publicKey && <CopiedId id={publicKey} label="Copy the public key" />],
        ]}
      />
      <p class="hint">"Show the keys" shows it again.</p>
      <div class="dialog-actions">
        <Button kind="primary" onPress={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}
