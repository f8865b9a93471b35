import { WebhookError, type WebhookErrorCode } from '../errors.js'
import { resultOf } from './refusal.js'
import type { CheckName, ExplainCheck } from './report.js'

/** The checks as they are made. */
export class Checklist {
  readonly checks: ExplainCheck[] = []
  #code: WebhookErrorCode | undefined

  /** Of the first check that failed with one. */
  get code(): WebhookErrorCode | undefined {
    return this.#code
  }

  pass(name: CheckName, detail: string): void {
    this.checks.push({ name, outcome: 'passed', detail })
  }

  skip(name: CheckName, detail: string): void {
    this.checks.push({ name, outcome: 'skipped', detail })
  }

  fail(name: CheckName, detail: string, code?: WebhookErrorCode): void {
    this.checks.push({ name, outcome: 'failed', detail })
    this.#code ??= code
  }

  /** What the call gives. A refusal is a check that failed. */
  attempt<Result>(
    name: CheckName,
    call: () => Result,
    detail: (result: Result) => string,
  ): Result | undefined {
    const result = resultOf(call)
    if (WebhookError.is(result)) {
      this.fail(name, what(result.message), result.code)
      return undefined
    }
    this.pass(name, detail(result))
    return result
  }
}

/** The message of a refusal without its mend, which here depends on what is found. */
export function what(message: string): string {
  return message.slice(0, message.indexOf('. '))
}
