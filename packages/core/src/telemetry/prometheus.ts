/** The part of a `Registry` of prom-client that is used. */
export interface MetricRegistry {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- its type of a metric is a union of its own classes
  registerMetric(metric: any): void
  removeSingleMetric(name: string): void
}

export type Labels = Readonly<Record<string, string>>

/** Seconds. */
export const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

interface Series {
  readonly labels: Labels
  /** How many fell into each bucket alone. */
  readonly counts: number[]
  count: number
  sum: number
}

/**
 * A histogram that a registry of prom-client can hold. It is our own, because the classes of prom-client cannot be reached
 * from a registry, and an import would be a dependency.
 */
export class DurationHistogram {
  readonly name: string
  readonly help: string
  readonly type = 'histogram'
  readonly aggregator = 'sum'
  readonly #series = new Map<string, Series>()

  constructor(name: string, help: string) {
    this.name = name
    this.help = help
  }

  observe(seconds: number, labels: Labels): void {
    const key = JSON.stringify(labels)
    let series = this.#series.get(key)
    if (series === undefined) {
      series = { labels, counts: BUCKETS.map(() => 0), count: 0, sum: 0 }
      this.#series.set(key, series)
    }
    const bucket = BUCKETS.findIndex((limit) => seconds <= limit)
    if (bucket !== -1) series.counts[bucket]! += 1
    series.count += 1
    series.sum += seconds
  }

  /** Called by the registry. */
  get(): Promise<object> {
    const { name, help, type, aggregator } = this
    const values = [...this.#series.values()].flatMap((series) => this.#valuesOf(series))
    return Promise.resolve({ name, help, type, aggregator, values })
  }

  /** Called by `resetMetrics` of the registry. */
  reset(): void {
    this.#series.clear()
  }

  #valuesOf({ labels, counts, count, sum }: Series): object[] {
    let below = 0
    const buckets = BUCKETS.map((le, i) => ({ labels: { le, ...labels }, value: (below += counts[i]!) }))
    return [
      ...[...buckets, { labels: { le: '+Inf', ...labels }, value: count }].map((bucket) => ({
        ...bucket,
        metricName: `${this.name}_bucket`,
      })),
      { metricName: `${this.name}_sum`, labels, value: sum },
      { metricName: `${this.name}_count`, labels, value: count },
    ]
  }
}
