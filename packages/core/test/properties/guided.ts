import { Session } from 'node:inspector'

/** How long to search: PROPERTY_SECONDS, or else a number of runs. */
const SECONDS = Number(process.env['PROPERTY_SECONDS'] ?? 0)
const BATCH = 2000

/**
 * Checks texts that are made of the seeds by small changes. With PROPERTY_SECONDS, a text that reaches a part of the source
 * that no text reached before becomes a seed; V8 itself says which parts were reached.
 *
 * @param source the end of the path of the module whose parts count
 * @returns how many texts were checked, and how many are seeds now
 */
export function searchTexts(
  seeds: readonly string[],
  check: (text: string) => void,
  { source, count, alphabet }: { readonly source: string; readonly count: number; readonly alphabet: string },
): string {
  const texts = [...seeds]
  const batchOf = (size: number) => Array.from({ length: size }, () => changed(texts, alphabet))
  seeds.forEach(check)
  if (SECONDS === 0) {
    batchOf(count).forEach(check)
    return `${count} texts`
  }
  const reach = new Reach(source)
  const end = Date.now() + SECONDS * 1000
  let checked = 0
  while (Date.now() < end) {
    const batch = batchOf(BATCH)
    batch.forEach(check)
    checked += BATCH
    if (!reach.isNew()) continue
    for (const text of batch) {
      check(text)
      if (reach.isNew({ isKept: true })) texts.push(text)
    }
  }
  reach.close()
  return `${checked} texts, ${texts.length} seeds`
}

/** The parts of a module that have run. */
class Reach {
  readonly #session = new Session()
  readonly #source: string
  /** By the offset in the module: whether it has run. */
  readonly #known: boolean[] = []

  constructor(source: string) {
    this.#source = source
    this.#session.connect()
    this.#session.post('Profiler.enable')
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  }

  /** Whether anything ran since the last call that had not run before. */
  isNew({ isKept = false } = {}): boolean {
    const fresh = this.#ran().flatMap((hasRun, offset) => (hasRun && !this.#known[offset] ? [offset] : []))
    if (isKept) for (const offset of fresh) this.#known[offset] = true
    return fresh.length > 0
  }

  /** The same since the last call. */
  #ran(): boolean[] {
    const ran: boolean[] = []
    // It answers at once.
    this.#session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
      const functions = result.find(({ url }) => url.endsWith(this.#source))?.functions ?? []
      // A range is listed only where its count differs from that of the range around it, which comes before it.
      for (const { startOffset, endOffset, count } of functions.flatMap(({ ranges }) => ranges)) {
        for (let offset = startOffset; offset < endOffset; offset++) ran[offset] = count > 0
      }
    })
    return ran
  }

  close(): void {
    this.#session.disconnect()
  }
}

/** One text with one to four changes. */
function changed(texts: readonly string[], alphabet: string): string {
  let text = pick(texts)
  for (let changes = 1 + below(4); changes > 0; changes--) {
    const from = below(text.length + 1)
    const to = Math.min(text.length, from + below(below(8) === 0 ? 80 : 3))
    const before = text.slice(0, from)
    switch (below(5)) {
      case 0:
        text = before + text.slice(to)
        break
      case 1:
        text = before + alphabet[below(alphabet.length)]! + text.slice(to)
        break
      case 2:
        text = before + text.slice(from, to) + text.slice(from)
        break
      case 3:
        text = before + pick(texts).slice(below(80)) + text.slice(to)
        break
      default:
        text = before
    }
  }
  return text
}

function below(limit: number): number {
  return Math.floor(Math.random() * limit)
}

function pick(texts: readonly string[]): string {
  return texts[below(texts.length)]!
}
