import { context, ROOT_CONTEXT, SpanStatusCode, trace, type Context } from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Registry } from 'prom-client'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createDispatcher, type Dispatcher, memoryReplayStore } from '../../src/entries/index.js'
import type { HandlingMessage } from '../../src/entries/node.js'
import { createReceiver } from '../../src/entries/receiver.js'
import { instrument, type TelemetryOptions } from '../../src/entries/telemetry.js'
import { transactionEvent } from '../../src/entries/testing.js'
import { DurationHistogram } from '../../src/telemetry/prometheus.js'
import { hmac, now, secret, timestamp, v3Message } from '../support/deliveries.js'

const paid = JSON.stringify(transactionEvent())
const type = 'transaction.purchase.successful'
/** Made by `printf test_signature_key | openssl sha256`. */
const tenant = 'sha256:2bd272f7'

const dispatcher = (handler: () => unknown = () => undefined) => createDispatcher().on(type, handler)

/** Sends deliveries to an endpoint with these options, as an adapter does. */
function endpoint(options: { dispatcher?: Dispatcher; name?: string; hasStore?: boolean } = {}) {
  const { hasStore = false, ...others } = options
  const receiver = createReceiver({
    ...{ secret, now, ...others },
    ...(hasStore && { replay: memoryReplayStore({ now }) }),
  })
  return async (body: string = paid, signed: string = body) => {
    const header = `t=${timestamp},v3=${hmac(secret, v3Message(signed))}`
    const reception = receiver.open({ request: undefined, header, encoding: null })
    try {
      const delivery = await reception.checkHeader().verify(Buffer.from(body))
      return await delivery.start()
    } catch (error) {
      await reception.refuse(error)
      return undefined
    }
  }
}

/** Ends with the test. */
function instrumented(options: TelemetryOptions): void {
  onTestFinished(instrument(options))
}

describe('the metrics of prom-client', () => {
  it('count the deliveries, and time them, by endpoint, tenant, outcome, code and type', async () => {
    const registry = new Registry()
    instrumented({ registry })
    const send = endpoint({ dispatcher: dispatcher(), name: 'payments', hasStore: true })
    await send()
    await send()
    await send(paid, 'forged')
    const text = await registry.metrics()
    const name = 'service_signature_delivery_duration_seconds'
    expect(text).toContain(`# TYPE ${name} histogram\n`)
    const ofValid = `endpoint="payments",tenant="${tenant}"`
    expect(text.match(/^.*_count.*$/gm)).toEqual([
      `${name}_count{${ofValid},outcome="handled",event_type="${type}"} 1`,
      `${name}_count{${ofValid},outcome="duplicate",event_type="${type}"} 1`,
      `${name}_count{endpoint="payments",outcome="refused",code="ERR_SIGNATURE_MISMATCH"} 1`,
    ])
    expect(text.match(new RegExp(`^${name}_bucket\\{le="\\+Inf".* 1$`, 'gm'))).toHaveLength(3)
    expect(text.match(/_bucket\{le="10",.*outcome="handled".* 1$/gm)).toHaveLength(1)
  })

  it('are added up by a cluster, and reset, as those of prom-client are', async () => {
    const registry = new Registry()
    instrumented({ registry })
    await endpoint({ dispatcher: dispatcher() })()
    const [metric] = await registry.getMetricsAsJSON()
    expect(metric).toMatchObject({ type: 'histogram', aggregator: 'sum' })
    registry.resetMetrics()
    expect(await registry.metrics()).not.toContain('_count')
  })

  it('have no bucket for what takes longer than all of them', async () => {
    const histogram = new DurationHistogram('seconds', 'help')
    histogram.observe(0.5, {})
    histogram.observe(60, {})
    const registry = new Registry()
    registry.registerMetric(histogram as never)
    const text = await registry.metrics()
    expect(text.match(/(?<=le=")(?:0.25|0.5|10|\+Inf)"\} \d/g)).toEqual([
      '0.25"} 0',
      '0.5"} 1',
      '10"} 1',
      '+Inf"} 2',
    ])
    expect(text).toContain('seconds_sum 60.5\n')
  })

  it('end with the function that instrument returns', async () => {
    const registry = new Registry()
    instrument({ registry })()
    await endpoint({ dispatcher: dispatcher() })()
    expect(registry.getMetricsAsArray()).toEqual([])
  })

  it('have the tenant that the operator names', async () => {
    const registry = new Registry()
    const tenants = new Map([[tenant, 'madrid']])
    instrumented({ registry, tenant: ({ keyFingerprint = '' }) => tenants.get(keyFingerprint) })
    await endpoint({ dispatcher: dispatcher() })()
    expect(await registry.metrics()).toContain('tenant="madrid"')
  })

  it('cannot be flooded with variants of one signed type', async () => {
    const registry = new Registry()
    instrumented({ registry })
    const send = endpoint({ dispatcher: createDispatcher().otherwise(() => undefined) })
    for (const spaces of [' ', '  ', '   ']) await send(`{"type":"a.${spaces}b"}`)
    expect((await registry.metrics()).match(/^.*_count.*$/gm)).toEqual([
      expect.stringMatching(/outcome="handled",event_type="invalid"\} 3$/),
    ])
  })

  it('report a delivery that was handled although the store failed', async () => {
    const registry = new Registry()
    instrumented({ registry })
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue()
    const fail = () => Promise.reject(new Error('down'))
    const receiver = createReceiver({
      ...{ secret, now, dispatcher: dispatcher(), onStoreError: 'accept' },
      replay: { claim: fail, commit: fail, release: fail },
    })
    const header = `t=${timestamp},v3=${hmac(secret, v3Message(paid))}`
    const checked = receiver.open({ request: undefined, header, encoding: null }).checkHeader()
    await (await checked.verify(Buffer.from(paid))).start()
    warn.mockRestore()
    expect(await registry.metrics()).toContain('outcome="handled",code="ERR_REPLAY_STORE_UNAVAILABLE"')
  })
})

it('records a histogram of OpenTelemetry with the same labels', async () => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const provider = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter })] })
  onTestFinished(() => provider.shutdown())
  instrumented({ meter: provider.getMeter('webhooks') })
  await endpoint({ dispatcher: dispatcher(), name: 'payments' })()
  await provider.forceFlush()
  const [metric] = exporter.getMetrics()[0]!.scopeMetrics[0]!.metrics
  expect(metric!.descriptor).toMatchObject({ name: 'service_signature.delivery.duration', unit: 's' })
  expect(metric!.dataPoints).toMatchObject([
    {
      attributes: { endpoint: 'payments', tenant, outcome: 'handled', event_type: type },
      value: { count: 1, buckets: { boundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] } },
    },
  ])
})

describe('the spans', () => {
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  const tracer = provider.getTracer('webhooks')

  /** What an application of OpenTelemetry sets up, on the platform's own storage. */
  function startContext() {
    const storage = new AsyncLocalStorage<Context>()
    const manager = {
      active: () => storage.getStore() ?? ROOT_CONTEXT,
      with: (active: Context, run: (...args: never[]) => unknown, self: unknown, ...args: never[]) =>
        storage.run(active, () => run.apply(self, args)),
      bind: (_active: Context, target: unknown) => target,
      enable: () => manager,
      disable: () => manager,
    }
    context.setGlobalContextManager(manager as never)
    onTestFinished(() => {
      context.disable()
      exporter.reset()
    })
  }

  it('are the parents of those that the handler makes', async () => {
    startContext()
    instrumented({ tracer })
    const handler = async () => {
      await Promise.resolve()
      tracer.startSpan('book').end()
    }
    expect(await endpoint({ dispatcher: dispatcher(handler) })()).toBe(204)
    await expect.poll(() => exporter.getFinishedSpans().length === 2).toBe(true)
    const [book, delivery] = exporter.getFinishedSpans()
    expect(delivery).toMatchObject({
      name: 'webhook delivery',
      attributes: { tenant, outcome: 'handled', event_type: type },
      status: { code: SpanStatusCode.UNSET },
    })
    expect(book!.parentSpanContext?.spanId).toBe(delivery!.spanContext().spanId)
  })

  it('are children of the span that is active around the endpoint', async () => {
    startContext()
    instrumented({ tracer })
    const send = endpoint({ dispatcher: dispatcher() })
    const request = tracer.startSpan('POST /webhooks')
    await context.with(trace.setSpan(context.active(), request), () => send())
    await expect.poll(() => exporter.getFinishedSpans().length === 1).toBe(true)
    expect(exporter.getFinishedSpans()[0]!.parentSpanContext?.spanId).toBe(request.spanContext().spanId)
  })

  it('are made once for each delivery, with an error where its handler failed', async () => {
    startContext()
    instrumented({ tracer })
    const handler = () => {
      throw new Error('the booking failed')
    }
    const send = endpoint({ dispatcher: dispatcher(handler) })
    await send()
    await send(paid, 'forged')
    await expect.poll(() => exporter.getFinishedSpans().length === 2).toBe(true)
    expect(
      exporter.getFinishedSpans().map(({ attributes, status }) => [attributes['outcome'], status.code]),
    ).toEqual([
      ['failed', SpanStatusCode.ERROR],
      ['refused', SpanStatusCode.UNSET],
    ])
  })
})

describe('telemetry that fails does not stop the handler', () => {
  const fail = (): never => {
    throw new Error('telemetry is broken')
  }

  it.each([
    ['a tracer', { tracer: { startSpan: fail, startActiveSpan: fail } }],
    ['a meter', { meter: { createHistogram: () => ({ record: fail }) } }],
    ['a label', { registry: new Registry(), tenant: fail }],
  ])('if it is %s', async (_name, options) => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue()
    instrumented(options)
    const handler = vi.fn()
    const send = endpoint({ dispatcher: dispatcher(handler) })
    for (const times of [1, 2]) {
      expect(await send()).toBe(204)
      expect(handler).toHaveBeenCalledTimes(times)
    }
    // After the microtasks of the spans.
    await new Promise(setImmediate)
    const warnings = warn.mock.calls.map(([message]) => String(message))
    warn.mockRestore()
    expect(warnings.length).toBeGreaterThan(0)
    expect(new Set(warnings).size).toBe(warnings.length)
    for (const warning of warnings) expect(warning).toMatch(/the response is not affected$/)
  })
})

describe('a subscriber that runs the handler', () => {
  /** Ends with the test. */
  function subscribed(around: NonNullable<HandlingMessage['around']>): void {
    const listen = (message: unknown) => void ((message as HandlingMessage).around = around)
    subscribe('tracing:service-signature:start', listen)
    onTestFinished(() => {
      unsubscribe('tracing:service-signature:start', listen)
    })
  }

  it('runs it once, even if it calls it twice or not at all', async () => {
    for (const around of [
      (handler: () => unknown) => [handler(), handler()],
      () => undefined,
      (handler: () => unknown) => {
        handler()
        throw new Error('after the handler')
      },
    ]) {
      const handler = vi.fn()
      subscribed(around)
      expect(await endpoint({ dispatcher: dispatcher(handler) })()).toBe(204)
      expect(handler).toHaveBeenCalledOnce()
    }
  })

  it('cannot hide that it failed', async () => {
    const seen: unknown[] = []
    subscribed((handler) => {
      try {
        return handler()
      } catch {
        return undefined
      }
    })
    const handler = () => {
      seen.push('ran')
      throw new Error('the booking failed')
    }
    const receiver = createReceiver({ secret, now })
    const header = `t=${timestamp},v3=${hmac(secret, v3Message(paid))}`
    const reception = receiver.open({ request: undefined, header, encoding: null })
    const delivery = await reception.checkHeader().verify(Buffer.from(paid))
    expect(() => delivery.run(handler)).toThrow('the booking failed')
    expect(seen).toEqual(['ran'])
  })
})

it('refuses options that record nothing', () => {
  expect(() => instrument({})).toThrow('instrument: expected "meter", "tracer" or "registry"')
  expect(() => instrument({ register: new Registry() } as never)).toThrow(/Did you mean "registry"/)
})
