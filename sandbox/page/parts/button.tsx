import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { connection } from '../api/changes.js'
import { useForm } from './form.js'
import { Icon, type IconName } from './icons.js'
import { toastError } from './toasts.js'

export interface ButtonProps {
  readonly children?: ComponentChildren
  /** While it runs, the button is busy. What it throws is shown, next to the field of the form that it is about. */
  readonly onPress: () => void | Promise<void>
  readonly kind?: 'primary' | 'danger' | 'quiet' | 'plain'
  readonly icon?: IconName
  readonly isSmall?: boolean
  readonly isDisabled?: boolean
  /** Whether it is disabled while the sandbox does not answer. Default: if it is the main button, or removes something. */
  readonly needsServer?: boolean
  /** Whether Enter in a field of its form presses it. */
  readonly isSubmit?: boolean
  readonly isPressed?: boolean
  readonly title?: string
  readonly label?: string
}

export function Button(props: ButtonProps) {
  const { children, onPress, kind = 'plain', icon, isSmall = false } = props
  const { needsServer = kind === 'primary' || kind === 'danger' } = props
  const isDisabled = props.isDisabled === true || (needsServer && connection.value === 'Offline')
  const isBusy = useSignal(false)
  const form = useForm()

  async function press(): Promise<void> {
    if (isBusy.value || isDisabled) return
    isBusy.value = true
    try {
      await onPress()
    } catch (error) {
      if (form === undefined) toastError(error)
      else form.showError(error)
    } finally {
      isBusy.value = false
    }
  }

  return (
    <button
      type={props.isSubmit === true ? 'submit' : 'button'}
      class={`button ${kind}${isSmall ? ' small' : ''}`}
      disabled={isDisabled}
      aria-busy={isBusy.value}
      aria-pressed={props.isPressed}
      title={props.title}
      aria-label={props.label}
      onClick={() => void press()}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  )
}

const COPIED_MS = 1500

/** Copies a text, and says so. `text` may be loaded first. */
export function CopyButton({
  text,
  label = 'Copy',
  isIcon = false,
}: {
  readonly text: string | (() => Promise<string>)
  readonly label?: string
  /** Without a visible word. */
  readonly isIcon?: boolean
}) {
  const isCopied = useSignal(false)
  return (
    <Button
      kind="quiet"
      icon={isCopied.value ? 'check' : 'copy'}
      isSmall
      {...(isIcon && { label: isCopied.value ? 'Copied' : label, title: label })}
      onPress={async () => {
        await navigator.clipboard.writeText(typeof text === 'string' ? text : await text())
        isCopied.value = true
        setTimeout(() => {
          isCopied.value = false
        }, COPIED_MS)
      }}
    >
      {isIcon ? null : isCopied.value ? 'Copied' : label}
    </Button>
  )
}

/** An id in full, with a button that copies it. */
export function CopiedId({ id, label = 'Copy the id' }: { readonly id: string; readonly label?: string }) {
  return (
    <>
      <code>{id}</code> <CopyButton text={id} label={label} isIcon />
    </>
  )
}

/** A text to take into a file or a terminal. */
export function CopiedCode({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div class="copied-code">
      <pre>{text}</pre>
      <CopyButton text={text} label={label} isIcon />
    </div>
  )
}
