import { useSignal } from '@preact/signals'
import { useEffect, useId } from 'preact/hooks'
import { post } from '../api/client.js'
import { useResource } from '../api/resource.js'
import type { DeliverySummary, Recognition, Template } from '../api/types.js'
import type { Tone } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { CheckField, SelectField, UrlField, useWebhookUrl, type Option } from '../parts/fields.js'
import { useFilters } from '../parts/filters.js'
import { bound, Form } from '../parts/form.js'
import { Icon } from '../parts/icons.js'
import { jsonProblem, printJson } from '../parts/json-text.js'
import { PageHead } from '../parts/page-head.js'
import { TablePanel } from '../parts/table.js'
import { toastError } from '../parts/toasts.js'
import { beginWithDelivery, beginWithTemplate, draft, requestBody } from './compose-draft.js'
import { DELIVERY_COLUMNS } from './delivery-columns.js'
import './compose.css'

const SEQUENCES: readonly Option[] = [
  ['once', 'Once'],
  ['duplicate', 'Twice: your endpoint must handle it once'],
  ['out-of-order', 'Out of order: the two events of a payment'],
  ['delayed', 'After 5 s'],
  ['burst', 'Burst: ten at the same time'],
]

/** Sends any event: from a template, from a delivery, or typed. */
export function ComposePage() {
  const checkId = useId()
  const sentCount = useSignal(0)
  const usual = useWebhookUrl()
  const url = draft.url.value ?? usual.url
  const text = draft.text.value
  const problem = jsonProblem(text)

  async function send(): Promise<void> {
    const { deliveries } = await post<{ readonly deliveries: readonly DeliverySummary[] }>(
      '/_sandbox/compose/',
      requestBody(problem === undefined, url),
    )
    sentCount.value = deliveries.length
  }
  const format = () => {
    draft.text.value = printJson(text)
  }

  return (
    <Form class="whole-page">
      <PageHead
        title="Compose"
        actions={
          <>
            <Button isDisabled={problem !== undefined} onPress={format}>
              Format
            </Button>
            <Button kind="primary" icon="send" onPress={send}>
              Send
            </Button>
          </>
        }
      />
      <div class="page-body stack">
        <div class="compose-top">
          <TemplateField />
          <UrlField label="Webhook URL" name="url" value={url} onChange={bound(draft.url).onChange} />
          <SelectField label="Sequence" options={SEQUENCES} {...bound(draft.sequence)} />
        </div>
        {sentCount.value > 0 && <Sent count={sentCount.value} />}
        <section class="panel" aria-label="Payload">
          <textarea
            class="editor"
            aria-label="Payload"
            aria-describedby={checkId}
            aria-invalid={problem !== undefined}
            value={text}
            wrap="off"
            spellcheck={false}
            autocomplete="off"
            onInput={({ currentTarget }) => {
              draft.text.value = currentTarget.value
            }}
          />
          <ComposeCheck id={checkId} text={text} problem={problem} />
        </section>
        <CheckField
          label="Byte for byte: not serialized as other events are"
          isChecked={draft.isExact.value}
          onChange={bound(draft.isExact).onChange}
        />
      </div>
    </Form>
  )
}

/** The event to start from. The address names it, or a delivery, unless that is being edited already. */
function TemplateField() {
  const templates = useResource<readonly Template[]>('/_sandbox/templates/').data.value
  const [{ delivery, template }, setFilters] = useFilters()
  const origin = draft.origin.value
  useEffect(() => {
    const wanted = delivery ?? template
    const isBegun = wanted === undefined ? origin !== undefined : wanted === origin
    if (templates === undefined || isBegun) return
    if (delivery !== undefined) beginWithDelivery(delivery).catch(toastError)
    else beginWithTemplate(templates.find(({ name }) => name === template) ?? templates[0]!)
  }, [delivery, template, templates])
  const options = (templates ?? []).map(({ name, group, title }): Option => [name, `${group}: ${title}`])
  const isDelivery = origin !== undefined && !options.some(([name]) => name === origin)
  return (
    <SelectField
      label="Begin with"
      value={origin ?? ''}
      options={isDelivery ? [[origin, `Delivery ${origin}`], ...options] : options}
      onChange={(name) => setFilters({ delivery: undefined, template: name })}
    />
  )
}

/** What was composed last, at most 8 events, and what the endpoint answered. */
function Sent({ count }: { readonly count: number }) {
  const path = `/_sandbox/newest/deliveries/?source=composed&limit=${Math.min(count, 8)}`
  const sent = useResource<readonly DeliverySummary[]>(path, { kinds: ['delivery'] }).data.value
  return (
    <TablePanel
      title="Sent"
      tools={<a href="/deliveries/?source=composed">All that were composed</a>}
      columns={DELIVERY_COLUMNS}
      items={sent ?? []}
      empty="Sending."
    />
  )
}

const REASONS: Readonly<Record<NonNullable<Recognition['reason']>, string>> = {
  'unknown-type': 'the type is unknown. A handler should answer 2xx and ignore it.',
  'invalid-payload': 'the payload is not what the type promises.',
}

interface ComposeCheckProps {
  readonly id: string
  readonly text: string
  /** Why the text is not JSON, if it is not. */
  readonly problem: string | undefined
}

/** Whether the text is JSON, and whether the library recognizes the event. */
function ComposeCheck({ id, text, problem }: ComposeCheckProps) {
  const found = useResource(text, {
    load: () => post<Recognition>('/_sandbox/compose/check/', { text }),
    isKept: true,
  }).data.value
  const [tone, sentence, issues = []] =
    problem === undefined ? findingOf(found) : ['bad', `Not JSON: ${problem}. It can be sent as it is.`]
  return (
    <div class="compose-check" id={id} role="status" data-tone={tone}>
      {tone !== 'plain' && <Icon name={tone === 'good' ? 'check' : 'warning'} />}
      <p>
        {sentence}
        {issues.map(({ path, reason }) => (
          <span class="issue" key={`${path} ${reason}`}>
            <code>{path === '' ? 'payload' : path}</code> {reason}
          </span>
        ))}
      </p>
    </div>
  )
}

function findingOf(found: Recognition | undefined): readonly [Tone, string, Recognition['issues']?] {
  if (found?.is_json !== true) return ['plain', '\u00a0']
  const { shape, type, reason, issues } = found
  if (reason !== null) return ['wait', `Not recognized: ${REASONS[reason]}`, issues]
  return ['good', `Recognized: ${type}, as an event of the shape "${shape}".`]
}
