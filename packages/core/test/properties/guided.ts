import { readFileSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'

/** How long to search: PROPERTY_SECONDS, or else a number of runs. */
const SECONDS = Number(process.env['PROPERTY_SECONDS'] ?? 0)
const BATCH = 2000

/** Longer texts are not kept. */
const LONGEST = 2000

interface Search {
  /** The end of the path of the module whose blocks count. */
  readonly source: string
  /** Of texts, without PROPERTY_SECONDS. */
  readonly count: number
  readonly alphabet: string
}

/**
 * Checks texts that are made of the seeds, and of those in `corpus`, by small changes. With PROPERTY_SECONDS, a text that reaches a
 * block of the source that no text reached before becomes a seed, and is written to `corpus` at the end; V8 itself says which
 * blocks were reached.
 *
 * @param corpus the name of a file
 * @returns how many texts were checked, and what they have reached
 */
export function searchTexts(
  corpus: string,
  seeds: readonly string[],
  check: (text: string) => void,
  { source, count, alphabet }: Search,
): string {
  const file = new URL(`corpus/${corpus}.json`, import.meta.url)
  const texts = [...seeds, ...(JSON.parse(readFileSync(file, 'utf8')) as string[])]
  const batchOf = (size: number) => Array.from({ length: size }, () => changed(texts, alphabet))
  if (SECONDS === 0) {
    texts.forEach(check)
    batchOf(count).forEach(check)
    return `${count} texts`
  }
  const reach = new Reach(source, check)
  // An entry that adds nothing is left out: its block may have been deleted since.
  const kept = new Set(texts.filter((text) => reach.adds(text)))
  for (const seed of seeds) kept.delete(seed)
  const end = Date.now() + SECONDS * 1000
  let checked = 0
  while (Date.now() < end) {
    const batch = batchOf(BATCH)
    checked += BATCH
    if (!reach.isNew(batch)) continue
    for (const text of batch.filter(({ length }) => length <= LONGEST)) {
      const smaller = reach.smallest(text)
      if (smaller === undefined) continue
      reach.adds(smaller)
      kept.add(smaller)
      texts.push(smaller)
    }
  }
  reach.close()
  writeFileSync(file, `${JSON.stringify([...kept], null, 2)}\n`)
  return `${checked} texts, ${kept.size} in the corpus, ${reach.summary}`
}

/** The blocks of a module that have run. */
class Reach {
  readonly #session = new Session()
  readonly #source: string
  readonly #check: (text: string) => void
  /** By the offset in the module: whether it has run. */
  readonly #known: boolean[] = []
  /** The blocks that V8 has ever counted for themselves, by their offset. */
  readonly #blocks = new Set<number>()
  readonly #functions = new Map<number, string>()

  constructor(source: string, check: (text: string) => void) {
    this.#source = source
    this.#check = check
    this.#session.connect()
    this.#session.post('Profiler.enable')
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  }

  /** Whether one of the texts runs what no text has run that was added. */
  isNew(texts: readonly string[]): boolean {
    return this.#freshOf(texts).length > 0
  }

  /** @returns whether the text has added anything */
  adds(text: string): boolean {
    const fresh = this.#freshOf([text])
    for (const offset of fresh) this.#known[offset] = true
    return fresh.length > 0
  }

  /** A part of the text that runs all that is new in it. */
  smallest(text: string): string | undefined {
    const fresh = this.#freshOf([text])
    if (fresh.length === 0) return undefined
    for (let size = Math.ceil(text.length / 2); size > 0; size = Math.floor(size / 2)) {
      for (let from = 0; from < text.length;) {
        const shorter = text.slice(0, from) + text.slice(from + size)
        const runs = new Set(this.#freshOf([shorter]))
        if (fresh.every((offset) => runs.has(offset))) text = shorter
        else from += size
      }
    }
    return text
  }

  get summary(): string {
    const reached = [...this.#blocks].filter((offset) => this.#known[offset])
    const missing = [...this.#functions].filter(([offset]) => !this.#known[offset]).map(([, name]) => name)
    const functions = missing.length === 0 ? 'every function' : `not ${missing.join(', ')}`
    return `${reached.length} of ${this.#blocks.size} blocks reached, ${functions}`
  }

  #freshOf(texts: readonly string[]): number[] {
    texts.forEach(this.#check)
    return this.#ran().flatMap((hasRun, offset) => (hasRun && !this.#known[offset] ? [offset] : []))
  }

  /** The same since the last call. */
  #ran(): boolean[] {
    const ran: boolean[] = []
    // It answers at once.
    this.#session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
      const functions = result.find(({ url }) => url.endsWith(this.#source))?.functions ?? []
      // The module itself has run before.
      for (const { functionName, ranges } of functions.filter((each) => each.functionName !== '')) {
        this.#functions.set(ranges[0]!.startOffset, functionName)
        // A range is listed only where its count differs from that of the range around it, which comes before it.
        for (const { startOffset, endOffset, count } of ranges) {
          this.#blocks.add(startOffset)
          for (let offset = startOffset; offset < endOffset; offset++) ran[offset] = count > 0
        }
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
