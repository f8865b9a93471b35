import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { post } from '../api/client.js'
import type { Account, Key } from '../api/types.js'
import { Button } from '../parts/button.js'
import { Dialog } from '../parts/dialog.js'
import { Choice, MODES, SelectField, TextField } from '../parts/fields.js'
import { bound, Form } from '../parts/form.js'
import { Facts } from '../parts/panel.js'
import { CopiedId } from '../parts/links.js'

interface KeyDialogProps {
  readonly accounts: readonly Account[]
  readonly onClose: () => void
}

/** Creates a key, and shows it. */
export function KeyDialog({ accounts, onClose }: KeyDialogProps) {
  const type = useSignal('account')
  const account = useSignal(accounts[0]?.id ?? '')
  const isLive = useSignal('false')
  const isOfAccount = type.value === 'account'

  async function create(): Promise<MadeKey> {
    const owner = isOfAccount && { account: account.value, is_live: isLive.value === 'true' }
    return { ...(await post<Key>('/_sandbox/keys/', { type: type.value, ...owner })), title: 'The new key' }
  }

  return (
    <CreateDialog what="key" create={create} onClose={onClose}>
      <Choice
        label="For"
        options={[
          ['account', 'An account'],
          ['organization', 'The organization'],
        ]}
        {...bound(type)}
      />
      {isOfAccount && (
        <>
          <SelectField
            label="Account"
            options={accounts.map(({ id, name }) => [id, name])}
            {...bound(account)}
          />
          <Choice label="Mode" options={MODES} {...bound(isLive)} />
        </>
      )}
    </CreateDialog>
  )
}

/** Creates an account, and shows its first key. */
export function AccountDialog({ onClose }: Pick<KeyDialogProps, 'onClose'>) {
  const name = useSignal('')
  const trimmed = name.value.trim()

  async function create(): Promise<MadeKey> {
    const made = await post<Omit<MadeKey, 'title'>>('/_sandbox/accounts/', { name: trimmed })
    return { ...made, title: `The first key of ${trimmed}` }
  }

  return (
    <CreateDialog what="account" create={create} onClose={onClose} isDisabled={trimmed === ''}>
      <TextField
        label="Name"
        placeholder="Shop in Berlin"
        hint="Each account has payments, customers and keys of its own."
        {...bound(name)}
      />
    </CreateDialog>
  )
}

/** The key that was made, in full, and the title of the dialog that shows it. */
type MadeKey = Pick<Key, 'api_key' | 'public_api_key'> & { readonly title: string }

interface CreateDialogProps {
  readonly what: 'key' | 'account'
  readonly create: () => Promise<MadeKey>
  readonly onClose: () => void
  readonly isDisabled?: boolean
  readonly children: ComponentChildren
}

/** Asks for what is needed, and then shows the key that was made. */
function CreateDialog({ what, create, onClose, isDisabled = false, children }: CreateDialogProps) {
  const made = useSignal<MadeKey | undefined>(undefined)
  if (made.value !== undefined) {
    const { title, api_key: key, public_api_key: publicKey } = made.value
    return (
      <Dialog key="made" title={title} onClose={onClose}>
        <Facts
          facts={[
            ['API key', <CopiedId id={key} label="Copy the key" />],
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
  return (
    <Dialog key="form" title={what === 'key' ? 'Create a key' : 'Create an account'} onClose={onClose}>
      <Form class="stack">
        {children}
        <div class="dialog-actions">
          <Button onPress={onClose}>Cancel</Button>
          <Button
            kind="primary"
            isSubmit
            isDisabled={isDisabled}
            onPress={async () => {
              made.value = await create()
            }}
          >
            Create the {what}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
