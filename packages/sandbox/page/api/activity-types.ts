// What the sandbox noted about requests, endpoints and audits.
export interface RequestSummary {
  readonly id: string
  readonly at: string
  readonly method: string
  readonly path: string
  /** The pattern of the path, if there is such an operation. */
  readonly operation: string | null
  readonly status: number
  readonly duration_ms: number
  readonly account: string | null
  readonly is_live: boolean | null
}

export interface RequestDetails extends RequestSummary {
  /** Keys are masked. */
  readonly request_headers: Readonly<Record<string, string>>
  readonly request_body: string | null
  readonly response_body: string | null
}

export interface EndpointStatistics {
  readonly url: string
  readonly deliveries: number
  readonly pending: number
  readonly dead: number
  readonly attempts: number
  readonly accepted: number
  /** From 0 to 1. */
  readonly success_rate: number | null
  readonly median_ms: number | null
  readonly p95_ms: number | null
  readonly last_at: string | null
  readonly last_errors: readonly EndpointError[]
  readonly forgeries_accepted: number
}

export interface EndpointError {
  readonly at: string
  readonly delivery: string
  readonly status: number | null
  readonly error: string | null
}

export interface AuditCase {
  readonly group: string
  readonly name: string
  readonly title: string
  readonly outcome: 'passed' | 'failed' | 'not-run'
  readonly expected: string
  readonly got: string
  readonly cost: string
  readonly fix: string
}

export interface Audit {
  readonly id: string
  readonly url: string
  readonly started: string
  readonly ended: string | null
  readonly state: 'running' | 'done' | 'stopped' | 'cancelled'
  readonly problem: string | null
  readonly done: number
  readonly total: number
  readonly passed: number
  readonly failed: number
  readonly cases: readonly AuditCase[]
}
