import { explain } from '../../src/index.js'
import {
  judge,
  KEPT_RATES,
  rateOf,
  readCases,
  resultSentence,
  resultTable,
  type Case,
  type Judgment,
} from './corpus.js'

type Judged = Case & Judgment & { readonly finding: string }

/**
 * Prints the hit rates, the misses, the wrong claims and the CPU time, and the sentence of docs/explain.md. Returns whether all
 * results are as required.
 */
export async function measure(folder: URL): Promise<boolean> {
  const cases = readCases(folder)
  const judged: Judged[] = []
  for (const each of cases) {
    const report = await explain(each.bytes, each.value, each.options)
    judged.push({ ...each, ...judge(each, report), finding: report.finding })
  }
  // In a loop of its own, with the code compiled.
  const times: number[] = []
  for (const { bytes, value, options } of cases) {
    const start = process.cpuUsage()
    await explain(bytes, value, options)
    const { user, system } = process.cpuUsage(start)
    times.push((user + system) / 1000)
  }
  printMisses(judged)
  const sorted = times.sort((a, b) => a - b)
  const [median, max] = [sorted[sorted.length >> 1]!, sorted.at(-1)!].map((time) => time.toFixed(1))
  console.log(`\n${resultTable(judged)}\n\n${resultSentence(judged)}\n`)
  console.log(`CPU time of each: median ${median!} ms, maximum ${max!} ms`)
  const wrong = judged.filter(({ wrongClaims }) => wrongClaims.length > 0)
  const recorded = rateOf(judged.filter(({ isInvented }) => !isInvented))
  const invented = rateOf(judged.filter(({ isInvented }) => isInvented))
  const percent = (rate: number) => `${(100 * rate).toFixed(1)} %`
  console.log(
    `${percent(recorded)} right, ${percent(invented)} of those invented, ${wrong.length} wrong claims`,
  )
  return recorded >= KEPT_RATES.recorded && invented >= KEPT_RATES.invented && wrong.length === 0
}

function printMisses(judged: readonly Judged[]): void {
  for (const { id, expect, finding, isRight, wrongClaims } of judged) {
    if (isRight && wrongClaims.length === 0) continue
    const what = wrongClaims.length > 0 ? `wrong claim (${wrongClaims.join(', ')})` : 'miss'
    console.log(`${what}: ${id}\n  expected ${expect}\n  ${finding}`)
  }
}
