import type { Cause, DeliverySummary } from '../api/types.js'
import { CopyButton } from './button.js'
import { SecretLine } from './secret-line.js'
import './cause.css'

/** Why an endpoint did not do what it must, and what to do. */
export function CauseView({ cause: { cause, title, detail, fix, command } }: { readonly cause: Cause }) {
  const isAboutSecret = cause === 'other-secret' || cause === 'signature'
  return (
    <div class="cause">
      <p class="cause-title">{causeSentence(title)}</p>
      <p>{detail}</p>
      <p>{fix}</p>
      {isAboutSecret && <SecretLine />}
      {command !== null && (
        <div class="secret-line">
          <span>With the WEBHOOK_SECRET of your endpoint:</span>
          <code>{command}</code>
          <CopyButton text={command} label="Copy the command" isIcon />
        </div>
      )}
    </div>
  )
}

/** The same in a row of a list. */
export function CauseTitle({ cause }: { readonly cause: DeliverySummary['cause'] }) {
  return (
    cause !== null && (
      <span class="cause-short" title={causeSentence(cause.title)}>
        {cause.title}
      </span>
    )
  )
}

function causeSentence(title: string): string {
  return title.endsWith('?') ? title : `${title}.`
}
