/**
 * Metrics and traces of every delivery to the endpoints of this process, for OpenTelemetry and Prometheus, on Node, Bun and
 * Deno. The types describe the part of their interfaces that is used, so this package depends on neither.
 *
 * @module core/telemetry
 */
export { instrument, type Meter, type TelemetryOptions, type Tracer } from '../telemetry/instrument.js'
export type { MetricRegistry } from '../telemetry/prometheus.js'
