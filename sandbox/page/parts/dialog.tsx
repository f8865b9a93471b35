import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Button } from './button.js'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A native dialog for as long as it is rendered. The browser keeps the focus inside, and Escape closes it. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  const close = () => {
    element.current!.close()
  }
  useEffect(() => {
    element.current!.showModal()
  }, [])
  return (
    <dialog ref={element} class="dialog" aria-labelledby={id} onClose={onClose}>
      <header class="dialog-head">
        <h2 id={id}>{title}</h2>
        <Button kind="quiet" icon="close" label="Close" isSmall onPress={close} />
      </header>
      {children}
    </dialog>
  )
}

interface Question {
  readonly title: string
  readonly text: string
  /** What the button says that does it. */
  readonly action: string
  readonly answer: (isConfirmed: boolean) => void
}

const question = signal<Question | undefined>(undefined)

/** Asks before something is lost. Resolves to whether the person confirmed it. */
export function confirm(asked: Omit<Question, 'answer'>): Promise<boolean> {
  return new Promise((resolve) => {
    question.value = {
      ...asked,
      answer(isConfirmed) {
        question.value = undefined
        resolve(isConfirmed)
      },
    }
  })
}

/** Shows the question that `confirm` asks. */
export function ConfirmDialog() {
  const asked = question.value
  if (asked === undefined) return null
  const { title, text, action, answer } = asked
  const cancel = () => {
    answer(false)
  }
  const confirmIt = () => {
    answer(true)
  }
  return (
    <Dialog title={title} onClose={cancel}>
      <p>{text}</p>
      <div class="dialog-actions">
        <Button onPress={cancel}>Cancel</Button>
        <Button kind="danger" onPress={confirmIt}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
