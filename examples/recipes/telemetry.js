import {
  ConsoleMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, BatchSpanProcessor, ConsoleSpanExporter } from '@opentelemetry/sdk-trace-base'
// #region delivery
import { metrics, trace } from '@opentelemetry/api'
import { instrument } from '@service-signature/core/telemetry'

startOpenTelemetry() // unless your application does it already
instrument({ meter: metrics.getMeter('webhooks'), tracer: trace.getTracer('webhooks') })
// #endregion

/** In production, export to your collector. */
function startOpenTelemetry() {
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
}
