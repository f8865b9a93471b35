import { metrics, trace } from '@opentelemetry/api'
import {
  ConsoleMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, BatchSpanProcessor, ConsoleSpanExporter } from '@opentelemetry/sdk-trace-base'
import { instrument } from '@service-signature/core/telemetry'

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
instrument({ meter: metrics.getMeter('webhooks'), tracer: trace.getTracer('webhooks') })
// #endregion
