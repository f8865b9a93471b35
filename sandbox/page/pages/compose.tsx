import { useSignal } from '@preact/signals'
import { useEffect, useId, useMemo } from 'preact/hooks'
import { coalesced } from '../api/changes.js'
import { messageOf, post } from '../api/client.js'
import { useResource } from '../api/resource.js'
import type { DeliverySummary, Recognition, Template } from '../api/types.js'
import { jsonProblem, printJson, type JsonProblem } from '../parts/json-text.js'
import type { Tone } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { CodeEditor } from '../parts/code-editor.js'
import { SelectField, type Option } from '../parts/fields.js'
import { useFilters } from '../parts/filters.js'
import { bound, Form, FormState } from '../parts/form.js'
import { Icon } from '../parts/icons.js'
import { useKeys } from '../parts/keyboard.js'
import { PageHead } from '../parts/page-head.js'
import { TablePanel } from '../parts/plain-table.js'
import { rememberWebhookUrl, useWebhookUrl } from '../parts/webhook-url.js'
import { toastError } from '../parts/toasts.js'
import { beginWithDelivery, beginWithTemplate, draft, requestBody } from './compose-draft.js'
import { ComposeOptions } from './compose-options.js'
import { DELIVERY_COLUMNS } from './delivery-columns.js'
import './compose.css'

/** Sends any event: from a template, from a delivery, or typed. */
export function ComposePage() {
  const checkId = useId()
  const form = useMemo(() => new FormState(), [])
  const sentCount = useSignal(0)
  const usual = useWebhookUrl()
  const url = draft.url.value ?? usual.url
  const text = draft.text.value
  const problem = useMemo(() => jsonProblem(text), [text])

  async function send(): Promise<void> {
    const { deliveries } = await post<{ readonly deliveries: readonly DeliverySummary[] }>(
      '/_sandbox/compose/',
      requestBody(problem === undefined, url),
    )
    sentCount.value = deliveries.length
    if (url !== '') rememberWebhookUrl(url)
  }

  const sendByKey = () => {
    send().catch((error: unknown) => {
      form.showError(error)
    })
  }
  useKeys([{ keys: 's', does: 'Send', run: sendByKey }])

  return (
    <Form class="whole-page" state={form}>
      <PageHead
        title="Compose"
        actions={
          <>
            <Button
              isDisabled={problem !== undefined}
              onPress={() => {
                draft.text.value = printJson(text)
              }}
            >
              Format
            </Button>
            <Button kind="primary" icon="send" onPress={send}>
              Send
            </Button>
          </>
        }
      />
      <div class="page-body compose">
        <div class="compose-main">
          <TemplateField />
          {sentCount.value > 0 && <Sent count={sentCount.value} />}
          <section class="panel" aria-label="Payload">
            <CodeEditor
              label="Payload"
              text={text}
              describedBy={checkId}
              markedLine={problem?.line}
              onEdit={bound(draft.text).onChange}
            />
            <ComposeCheck id={checkId} problem={problem} />
          </section>
        </div>
        <ComposeOptions url={url} />
      </div>
    </Form>
  )
}

/** The event to start from. The address names it, or a delivery, unless that is being edited already. */
function TemplateField() {
  const templates = useResource<readonly Template[]>('/_sandbox/templates/').data.value
  const [{ delivery, template }, setFilter] = useFilters()
  const origin = draft.origin.value
  useEffect(() => {
    const wanted = delivery ?? template
    const isBegun = wanted === undefined ? origin !== undefined : wanted === origin
    if (templates === undefined || isBegun) return
    if (delivery !== undefined) beginWithDelivery(delivery).catch(toastError)
    else beginWithTemplate(templates.find(({ name }) => name === template) ?? templates[0]!)
  }, [delivery, template, templates])
  if (templates === undefined) return null
  const options = templates.map(({ name, group, title }): Option => [name, `${group}: ${title}`])
  const isDelivery = origin !== undefined && !templates.some(({ name }) => name === origin)
  return (
    <SelectField
      label="Begin with"
      value={origin ?? ''}
      options={isDelivery ? [[origin, `Delivery ${origin}`], ...options] : options}
      onChange={(name) => {
        setFilter('delivery', undefined)
        setFilter('template', name)
      }}
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

interface Finding {
  readonly tone: Tone
  readonly sentence: string
  readonly issues?: Recognition['issues']
}

const NOTHING: Finding = { tone: 'plain', sentence: '\u00a0' }

interface ComposeCheckProps {
  readonly id: string
  /** Why the text is not JSON, if it is not. */
  readonly problem: JsonProblem | undefined
}

/** Whether the text is JSON, and whether the library recognizes the event. */
function ComposeCheck({ id, problem }: ComposeCheckProps) {
  const text = draft.text.value
  const found = useSignal(NOTHING)
  const check = useMemo(
    () =>
      coalesced(async () => {
        found.value = await findingOf(draft.text.value)
      }),
    [],
  )
  useEffect(check, [text])
  const { tone, sentence, issues = [] } = problem === undefined ? found.value : notJson(problem)
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

function notJson({ message }: JsonProblem): Finding {
  const sentence = `Not JSON: ${message}. It can be sent as it is.`
  return { tone: 'bad', sentence }
}

async function findingOf(text: string): Promise<Finding> {
  try {
    const found = await post<Recognition>('/_sandbox/compose/check/', { text })
    const { is_json: isJson, shape, type, reason, issues } = found
    if (!isJson) return NOTHING
    if (reason !== null) return { tone: 'wait', sentence: `Not recognized: ${REASONS[reason]}`, issues }
    return { tone: 'good', sentence: `Recognized: ${type}, as an event of the shape "${shape}".` }
  } catch (error) {
    return { tone: 'bad', sentence: messageOf(error) }
  }
}
