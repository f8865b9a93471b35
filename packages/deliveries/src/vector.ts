import { verifySync, type WebhookError } from '@service-signature/core'
import type { AttemptReport } from './delivery.js'

/** `test-vectors/webhook.json` is checked in this way, too. */
const RULES = { versions: ['v3'], toleranceSeconds: 300, futureToleranceSeconds: 60 } as const

/**
 * The attempt as a test vector, in the form of `test-vectors/webhook.json`. It holds the secret, because a verifier in another
 * language needs it.
 */
export function vectorOf(report: AttemptReport, secret: string) {
  const { type, at, headers, body, faults } = report
  const header = headers['Service-Signature']
  const comment = faults.length === 0 ? type : `${type}, ${faults.join(', ')}`
  return {
    suite: 'webhook',
    description: 'A delivery that was recorded in the sandbox.',
    numberOfTests: 1,
    notes: {
      Recorded: {
        bugClass: 'Basic',
        description: 'A delivery of the sandbox, as it was sent.',
        effect: 'A payment is not noticed, or a forged one is.',
      },
    },
    testGroups: [
      {
        comment: 'Recorded in the sandbox, v3 listed.',
        operation: 'webhook',
        secrets: [secret],
        // Only v1 needs the API key, and it is not listed.
        apiKeys: ['not_in_this_file'],
        ...RULES,
        tests: [
          {
            tcId: 1000,
            comment: comment.replace(/[^ -~]/g, '?'),
            flags: ['Recorded'],
            body: Buffer.from(body).toString('hex'),
            header: header ?? null,
            now: at,
            ...resultOf(body, header, secret, at),
          },
        ],
      },
    ],
  }
}

function resultOf(body: string, header: string | undefined, secret: string, now: number) {
  try {
    verifySync(body, header, { ...RULES, secret, now: () => now })
    return { result: 'valid', secretIndex: 0 }
  } catch (error) {
    return { result: 'invalid', code: (error as WebhookError).code }
  }
}
