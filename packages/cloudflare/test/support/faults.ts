export const LOST = 'D1_ERROR: Network connection lost.'

export type Fault = 'none' | 'request lost' | 'answer lost' | 'no answer'

/** Runs a request over a network with a fault. */
export async function pass<Answer>(fault: Fault, run: () => Answer | Promise<Answer>): Promise<Answer> {
  if (fault === 'request lost') throw new Error(LOST)
  const answer = await run()
  if (fault === 'answer lost') throw new Error(LOST)
  return fault === 'no answer' ? new Promise(() => undefined) : answer
}
