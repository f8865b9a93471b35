import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { alertsFile, monitored, QUERIES } from './support/monitoring.js'
import { freePort } from '@service-signature/contract/free-port'
import { isMissing } from '@service-signature/contract/services'

interface Answer {
  readonly data: {
    readonly result?: { readonly metric: Record<string, string> }[]
    readonly alerts?: { readonly labels: Record<string, string> }[]
  }
}

/** A Prometheus that reads these metrics several times a second, with our alert rules. */
async function startPrometheus(target: string) {
  const folder = mkdtempSync(join(tmpdir(), 'service-signature-prometheus-'))
  const config = {
    global: { scrape_interval: '200ms', scrape_timeout: '200ms', evaluation_interval: '200ms' },
    rule_files: [fileURLToPath(alertsFile)],
    scrape_configs: [{ job_name: 'shop', static_configs: [{ targets: [target] }] }],
  }
  // JSON is YAML.
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config))
  const address = `127.0.0.1:${await freePort()}`
  const child = spawn(
    'prometheus',
    ['--config.file=prometheus.yml', '--storage.tsdb.path=data', `--web.listen-address=${address}`],
    { cwd: folder, stdio: 'ignore' },
  )
  onTestFinished(async () => {
    child.kill()
    await once(child, 'exit')
    rmSync(folder, { recursive: true })
  })
  return async (path: string) => {
    const response = await fetch(`http://${address}/api/v1/${path}`).catch(() => undefined)
    return response?.ok ? ((await response.json()) as Answer).data : undefined
  }
}

it.skipIf(isMissing('prometheus'))(
  'Prometheus answers every query of the dashboard, and every alert rule reports what it is for',
  async () => {
    const { metrics, send } = await monitored()
    const get = await startPrometheus(metrics)
    await expect
      .poll(async () => {
        await send()
        const answers = await Promise.all(
          QUERIES.map(async ({ title, query }) => {
            const data = await get(`query?query=${encodeURIComponent(query)}`)
            return (data?.result ?? []).length > 0 ? [] : [title]
          }),
        )
        return answers.flat()
      })
      .toEqual([])
    await expect
      .poll(async () => {
        await send()
        const { alerts = [] } = (await get('alerts')) ?? {}
        return alerts
          .map(
            ({ labels: { alertname, endpoint, event_type = '', code = '' } }) =>
              `${alertname} ${endpoint} ${event_type}${code}`,
          )
          .sort()
      })
      .toEqual([
        'WebhookAbandoned endless-handler transaction.purchase.successful',
        'WebhookEndpointBroken broken-store ERR_REPLAY_STORE_UNAVAILABLE',
        'WebhookEndpointBroken no-secret ERR_SECRET_UNAVAILABLE',
        'WebhookHandlerFails payments intent.processed',
        'WebhookInProgress held-claim ',
        'WebhookInProgress locked-inbox ',
        'WebhookNothingVerifies wrong-secret ',
        'WebhookTimeRefused broken-store ERR_TIMESTAMP_TOO_OLD',
        'WebhookTimeRefused payments ERR_TIMESTAMP_TOO_OLD',
        'WebhookTimeRefused wrong-secret ERR_TIMESTAMP_TOO_OLD',
        'WebhookUnhandled payments card_token.created',
        'WebhookUnprotected forgetful-store ',
      ])
    /** The lines of a diagram. */
    const linesOf = async (diagram: string, label: string) => {
      const { query } = QUERIES.find(({ title }) => title === diagram)!
      const { result = [] } = (await get(`query?query=${encodeURIComponent(query)}`)) ?? {}
      return result.map(({ metric }) => metric[label])
    }
    await expect
      .poll(() => linesOf('Deliveries', 'outcome'))
      .toEqual(expect.arrayContaining(['abandoned', 'failed', 'refused']))
    await expect
      .poll(() => linesOf('Refused or failed, by code', 'code'))
      .toEqual(
        expect.arrayContaining([
          'ERR_DELIVERY_IN_PROGRESS',
          'ERR_REPLAY_STORE_UNAVAILABLE',
          'ERR_SECRET_UNAVAILABLE',
        ]),
      )
  },
)
