import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { NODE_PLATFORM } from '../receive/node-platform.js'
import { defined, type DeliveryReport, type HandlingMessage, stackOf } from '../receive/report.js'
import { ownOptions } from '../shared/check-options.js'
import { BUCKETS, DurationHistogram, type Labels, type MetricRegistry } from './prometheus.js'

/** At least one of `meter`, `tracer` and `registry`. */
export interface TelemetryOptions {
  /** Of the OpenTelemetry API: `metrics.getMeter('webhooks')`. */
  readonly meter?: Meter
  /** Of the OpenTelemetry API: `trace.getTracer('webhooks')`. */
  readonly tracer?: Tracer
  /** Of prom-client: `register`, or a `Registry` of your own. */
  readonly registry?: MetricRegistry
  /** The label `tenant` of a delivery. By default the fingerprint of its key. Return few different texts. */
  readonly tenant?: (report: Pick<DeliveryReport, 'endpoint' | 'keyFingerprint'>) => string | undefined
}

/** A `Meter` of the OpenTelemetry API. */
export interface Meter {
  createHistogram(
    name: string,
    options: { description: string; unit: string; advice: { explicitBucketBoundaries: number[] } },
  ): { record(value: number, attributes: Record<string, string>): void }
}

/** A `Tracer` of the OpenTelemetry API. */
export interface Tracer {
  startSpan(name: string, options: SpanOptions): Span
  startActiveSpan(name: string, options: SpanOptions, run: (span: Span) => unknown): unknown
}

interface SpanOptions {
  startTime: number
  attributes: Record<string, string>
}

interface Span {
  setAttributes(attributes: Record<string, string>): unknown
  setStatus(status: { code: number }): unknown
  end(endTime?: number): void
}

const OPTIONS = ['meter', 'tracer', 'registry', 'tenant']
const METRIC = 'service_signature_delivery_duration_seconds'
const DESCRIPTION = 'From the header of a delivery to its outcome'
const SPAN = 'webhook delivery'
/** `SpanStatusCode.ERROR` of OpenTelemetry. */
const ERROR = 2

/**
 * Records each delivery to any endpoint of this process: how long it took, as the histogram
 * `service_signature.delivery.duration` (OpenTelemetry) or `service_signature_delivery_duration_seconds` (Prometheus), with the
 * labels `endpoint`, `tenant`, `outcome`, `code` and `event_type`; and a span, of which the spans of its handler are children.
 *
 * @returns ends it
 * @throws {TypeError} on an option that is misspelled or missing
 *
 * @example
 * import { register } from 'prom-client'
 * instrument({ registry: register })
 *
 * @example
 * import { metrics, trace } from '@opentelemetry/api'
 * instrument({ meter: metrics.getMeter('webhooks'), tracer: trace.getTracer('webhooks') })
 */
export function instrument(options: TelemetryOptions): () => void {
  const { meter, tracer, registry, tenant } = ownOptions(options, OPTIONS, 'instrument')
  if (meter === undefined && tracer === undefined && registry === undefined) {
    throw new TypeError('instrument: expected "meter", "tracer" or "registry"')
  }
  const labelsOf = labelMaker(tenant)
  const onDuration = (record: (seconds: number, labels: Labels) => void) =>
    onMessage('service-signature:delivery', (report: DeliveryReport) =>
      record(report.durationMs / 1000, labelsOf(report)),
    )
  const ends: (() => void)[] = []
  if (registry !== undefined) {
    const histogram = new DurationHistogram(METRIC, DESCRIPTION)
    registry.registerMetric(histogram)
    ends.push(onDuration(histogram.observe.bind(histogram)), () => registry.removeSingleMetric(METRIC))
  }
  if (meter !== undefined) {
    const histogram = meter.createHistogram('service_signature.delivery.duration', {
      ...{ description: DESCRIPTION, unit: 's', advice: { explicitBucketBoundaries: BUCKETS } },
    })
    ends.push(onDuration(histogram.record.bind(histogram)))
  }
  if (tracer !== undefined) ends.push(...traceDeliveries(tracer, labelsOf))
  return () => {
    for (const end of ends) end()
  }
}

/** A span of each delivery: around its handler, or afterwards if none ran. */
function traceDeliveries(tracer: Tracer, labelsOf: (report: Labelled) => Labels): (() => void)[] {
  const traced = new WeakSet<DeliveryReport>()
  const optionsOf = (known: Labelled & { readonly durationMs: number }) => ({
    startTime: Date.now() - known.durationMs,
    attributes: labelsOf(known),
  })
  const end = (span: Span, report: DeliveryReport) => {
    span.setAttributes(labelsOf(report))
    if (report.outcome === 'failed' || report.outcome === 'abandoned') span.setStatus({ code: ERROR })
    span.end()
  }
  const endTraced = safely(({ span, report }: { span: Span; report: DeliveryReport }) => {
    traced.add(report)
    end(span, report)
  })
  const traceUntraced = safely((report: DeliveryReport) => {
    if (!traced.has(report)) end(tracer.startSpan(SPAN, optionsOf(report)), report)
  })
  return [
    onMessage('tracing:service-signature:start', (message: HandlingMessage) => {
      const { around = (run: () => unknown) => run() } = message
      message.around = (handler) =>
        tracer.startActiveSpan(SPAN, optionsOf(message), (span) => {
          void message.report.then((report) => endTraced({ span, report }))
          return around(handler)
        })
    }),
    onMessage('service-signature:delivery', (report: DeliveryReport) => {
      // After the reaction above, because its promise was resolved before the report was published.
      queueMicrotask(() => traceUntraced(report))
    }),
  ]
}

type Labelled = Partial<DeliveryReport>

function labelMaker(tenantOf: TelemetryOptions['tenant'] = ({ keyFingerprint }) => keyFingerprint) {
  return (report: Labelled): Labels => {
    const { endpoint, outcome, code, eventType, isUnprotected } = report
    return defined({
      endpoint,
      tenant: tenantOf(report),
      outcome,
      code: isUnprotected === true ? 'ERR_REPLAY_STORE_UNAVAILABLE' : code,
      event_type: eventType === undefined || VISIBLE.test(eventType) ? eventType : 'invalid',
    }) as Labels
  }
}

/** v1 and v2 do not sign spaces, so a space in a type could make any number of labels out of one signed text. */
const VISIBLE = /^[!-~]+$/

function onMessage(channel: string, listener: (message: never) => void): () => void {
  const listen = safely(listener) as (message: unknown) => void
  subscribe(channel, listen)
  return () => unsubscribe(channel, listen)
}

/** An error of a subscriber would end the process. */
function safely<Value>(run: (value: Value) => void): (value: Value) => void {
  let hasWarned = false
  return (value) => {
    try {
      run(value)
    } catch (error) {
      if (!hasWarned) NODE_PLATFORM.warn('Telemetry failed; the response is not affected', stackOf(error))
      hasWarned = true
    }
  }
}
