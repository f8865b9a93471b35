import { useSignal } from '@preact/signals'
import { useEffect, useId, useMemo } from 'preact/hooks'
import { post } from '../api/client.js'
import { useResource } from '../api/resource.js'
import type { DeliverySummary, Template } from '../api/types.js'
import { jsonProblem, printJson } from '../parts/json-text.js'
import { useFilters } from '../parts/filters.js'
import { Button } from '../parts/button.js'
import { CodeEditor } from '../parts/code-editor.js'
import { Form, FormState } from '../parts/form.js'
import { useKeys } from '../parts/keyboard.js'
import { isNarrow } from '../parts/screen.js'
import { PageHead } from '../parts/page-head.js'
import { rememberWebhookUrl } from '../parts/test-payment.js'
import { toastError } from '../parts/toasts.js'
import { ComposeCheck } from './compose-check.js'
import { beginWithDelivery, beginWithTemplate, draft, requestBody } from './compose-draft.js'
import { ComposeOptions } from './compose-options.js'
import { SentDeliveries } from './sent-deliveries.js'
import './compose.css'

/** Sends any event: from a template, from a delivery, or typed. */
export function ComposePage() {
  const checkId = useId()
  const form = useMemo(() => new FormState(), [])
  const sent = useSignal<readonly DeliverySummary[]>([])
  const templates = useResource<readonly Template[]>('/_sandbox/templates/').data.value
  useOrigin(templates)
  const text = draft.text.value
  const problem = useMemo(() => jsonProblem(text), [text])

  async function send(): Promise<void> {
    const { deliveries } = await post<{ readonly deliveries: readonly DeliverySummary[] }>(
      '/_sandbox/compose/',
      requestBody(problem === undefined),
    )
    sent.value = deliveries
    if (draft.url.value) rememberWebhookUrl(draft.url.value)
  }

  useKeys([
    {
      keys: 's',
      does: 'Send',
      run: () => {
        send().catch((error: unknown) => {
          form.showError(error)
        })
      },
    },
  ])

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
        {templates !== undefined && <Templates templates={templates} />}
        <div class="compose-main">
          {sent.value.length > 0 && <SentDeliveries deliveries={sent.value} />}
          <section class="panel" aria-label="Payload">
            <CodeEditor
              label="Payload"
              text={text}
              describedBy={checkId}
              markedLine={problem?.line}
              onEdit={(typed) => {
                draft.text.value = typed
              }}
            />
            <ComposeCheck id={checkId} text={text} problem={problem} />
          </section>
        </div>
        <ComposeOptions />
      </div>
    </Form>
  )
}

/** Begins with what the address names, unless that is being edited already. */
function useOrigin(templates: readonly Template[] | undefined): void {
  const [{ delivery, template: name }] = useFilters()
  useEffect(() => {
    if (delivery !== undefined) {
      if (draft.origin.value !== `delivery ${delivery}`) beginWithDelivery(delivery).catch(toastError)
      return
    }
    const isKept = name === undefined && draft.origin.value !== undefined
    if (templates === undefined || isKept || draft.origin.value === `template ${name ?? ''}`) return
    const template = templates.find((one) => one.name === name) ?? templates[0]
    if (template !== undefined) beginWithTemplate(template)
  }, [delivery, name, templates])
}

/** The templates by their groups, as a list of links; on narrow screens as a menu. */
function Templates({ templates }: { readonly templates: readonly Template[] }) {
  const [{ template: chosen }, setFilter] = useFilters()
  const current = chosen ?? draft.origin.value?.replace(/^template /, '')
  const groups = [...new Set(templates.map(({ group }) => group))].map((title) => ({
    title,
    members: templates.filter(({ group }) => group === title),
  }))
  if (isNarrow.value) {
    return (
      <select
        aria-label="Template"
        value={current ?? ''}
        onChange={({ currentTarget }) => {
          setFilter('template', currentTarget.value)
        }}
      >
        {groups.map(({ title: group, members }) => (
          <optgroup label={group} key={group}>
            {members.map(({ name, title }) => (
              <option value={name} key={name}>
                {title}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    )
  }
  return (
    <nav class="templates" aria-label="Templates">
      {groups.map(({ title, members }) => (
        <div class="template-group" key={title}>
          <h2>{title}</h2>
          <ul>
            {members.map((template) => (
              <li key={template.name}>
                <a
                  href={`/compose/?template=${template.name}`}
                  {...(template.name === current && { 'aria-current': 'true' })}
                  onClick={() => {
                    // The same address again begins again.
                    beginWithTemplate(template)
                  }}
                >
                  {template.title}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}
