import { metrics, SpanStatusCode, trace } from '@opentelemetry/api'
import {
  ConsoleMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, BatchSpanProcessor, ConsoleSpanExporter } from '@opentelemetry/sdk-trace-base'
import { subscribe } from 'node:diagnostics_channel'

// Leave this part out if your application starts OpenTelemetry already. In production, export to your collector.
const tracing = new BasicTracerProvider({
  spanProcessors: [new BatchSpanProcessor(new ConsoleSpanExporter())],
})
const reader = new PeriodicExportingMetricReader({ exporter: new ConsoleMetricExporter() })
const metering = new MeterProvider({ readers: [reader] })
trace.setGlobalTracerProvider(tracing)
metrics.setGlobalMeterProvider(metering)
process.once('SIGTERM', async () => {
  await Promise.allSettled([tracing.shutdown(), metering.shutdown()])
  process.exit()
})

// #region delivery
const tracer = trace.getTracer('webhooks')
const duration = metrics.getMeter('webhooks').createHistogram('webhook.delivery.duration', {
  unit: 's',
  advice: { explicitBucketBoundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] },
})

subscribe('service-signature:delivery', (message) => {
  const report = /** @type {import('@service-signature/core/node').DeliveryReport} */ (message)
  const attributes = {
    'webhook.outcome': report.outcome,
    ...(report.eventType && { 'webhook.event_type': report.eventType }),
    ...(report.code && { 'error.type': report.code }),
  }
  duration.record(report.durationMs / 1000, attributes)

  // The delivery is over, so its span began in the past. It becomes a child of the active span, if there is one.
  const end = Date.now()
  const span = tracer.startSpan('webhook delivery', { startTime: end - report.durationMs, attributes })
  if (report.outcome === 'failed') span.setStatus({ code: SpanStatusCode.ERROR })
  span.end(end)
})
// #endregion
