import { invalid } from '../model/refusal.js'
import type { Service } from '../service.js'

/** @throws {Refusal} on an address that no event is sent to */
export async function checkWebhookUrl({ targets }: Service, url: string | undefined): Promise<void> {
  const problem = url === undefined ? undefined : await targets.problemOf(url)
  if (problem !== undefined) throw invalid('webhook_url', problem)
}
