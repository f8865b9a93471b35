import { closeSync, openSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import type * as fs from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { Store, type Change } from '../../server/store/store.js'
import type { Kind } from '../../server/store/table.js'
import { temporaryFolder } from '../support/folder.js'

/** Files with this descriptor or a higher one cannot be written. */
const disk = vi.hoisted(() => ({ fullFrom: Infinity }))

vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>()
  const writeFileSync = (...given: Parameters<typeof fs.writeFileSync>) => {
    const [file, data] = given
    if (typeof file !== 'number' || file < disk.fullFrom) {
      real.writeFileSync(...given)
      return
    }
    // A part of it still has room.
    real.writeFileSync(file, (data as Buffer).subarray(0, 5))
    throw new Error('ENOSPC: no space left on device')
  }
  return { ...real, writeFileSync }
})

const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)

beforeEach(() => {
  disk.fullFrom = Infinity
  warn.mockClear()
})

interface Note {
  readonly id: string
  readonly text: string
  readonly about?: string | undefined
}

const NOTES: Kind<Note> = { name: 'note', limit: 'keep', bytesOf: ({ text }) => text.length }
const LETTERS: Kind<Note> = { name: 'letter', bytesOf: ({ text }) => text.length }
const TASKS: Kind<Note> = { name: 'task', limit: 2, isVolatile: true }

function open(options: Partial<ConstructorParameters<typeof Store>[0]> = {}): Store {
  const store = new Store({ kinds: [LETTERS, NOTES, TASKS], keep: 1000, ...options })
  onTestFinished(() => {
    store.close()
  })
  return store
}

function notesOf(store: Store): readonly string[] {
  return store.list(NOTES).map(({ id, text }) => `${id} ${text}`)
}

it('a store announces each change after it is made, and none of a record that was removed', () => {
  const store = open()
  const seen: unknown[] = []
  store.listen((change) => seen.push([change, notesOf(store)]))
  store.insert(NOTES, { id: 'a', text: 'one' })
  store.remove(NOTES, 'a')
  store.update(NOTES, 'a', { text: 'three' })
  store.remove(NOTES, 'a')
  expect(seen).toEqual([
    [{ kind: 'note', id: 'a' }, ['a one']],
    [{ kind: 'note', id: 'a' }, []],
  ])
})

it('a store removes the oldest records of the kind with the most bytes if there are too many bytes', () => {
  const store = open({ maxBytes: 1000 })
  store.insert(LETTERS, { id: 'letter', text: 'x'.repeat(300) })
  for (const id of ['a', 'b', 'c']) store.insert(NOTES, { id, text: 'x'.repeat(300) })
  expect(store.list(NOTES).map(({ id }) => id)).toEqual(['b', 'c'])
  store.update(NOTES, 'c', { text: 'x'.repeat(600) })
  expect(store.list(NOTES).map(({ id }) => id)).toEqual(['c'])
  store.remove(NOTES, 'c')
  store.insert(NOTES, { id: 'd', text: 'x'.repeat(700) })
  expect(store.list(NOTES).map(({ id }) => id)).toEqual(['d'])
  expect(store.list(LETTERS)).toHaveLength(1)
})

describe('A store in a folder', () => {
  /** Some of everything that can be in a file. */
  function fill(store: Store): void {
    store.insert(NOTES, { id: 'a', text: 'one' })
    store.insert(NOTES, { id: 'b', text: '{"text":"\u20ac\n"}', about: 'some' })
    store.count('id note')
    store.insert(LETTERS, { id: 'c', text: '\ud800' })
    store.update(NOTES, 'b', { about: undefined })
    store.remove(NOTES, 'a')
  }

  function everythingOf(store: Store): string {
    return JSON.stringify([...store.list(NOTES), ...store.list(LETTERS)])
  }

  it('has everything but volatile records again after a restart, and after one more', () => {
    const folder = temporaryFolder()
    const store = open({ folder })
    fill(store)
    store.insert(TASKS, { id: 'a', text: 'runs' })
    store.close()
    store.insert(NOTES, { id: 'late', text: 'after the end' })
    store.remove(NOTES, 'late')
    for (let count = 0; count < 2; count++) {
      const again = open({ folder })
      expect(everythingOf(again)).toBe(everythingOf(store))
      expect(again.list(TASKS)).toEqual([])
      expect(again.seed).toBe(store.seed)
      again.close()
    }
    expect(open({ folder }).count('id note')).toBe(1)
  })

  it('has the state of an earlier moment if its file was cut, and warns of an incomplete line', () => {
    const folder = temporaryFolder()
    const store = open({ folder })
    const states = [everythingOf(store)]
    store.listen(() => states.push(everythingOf(store)))
    fill(store)
    store.close()
    const file = join(folder, 'sandbox.jsonl')
    const whole = readFileSync(file)
    const ends = [...whole.keys()].filter((index) => whole[index] === '\n'.charCodeAt(0))
    const seen = new Set<string>()
    for (const length of [0, 1, ...ends.flatMap((end) => [end, end + 1, end + 2])]) {
      const part = whole.subarray(0, length)
      writeFileSync(file, part)
      warn.mockClear()
      const cut = open({ folder })
      seen.add(everythingOf(cut))
      // The next line must not be joined to what was left of another.
      cut.insert(NOTES, { id: 'after', text: '' })
      cut.close()
      const again = open({ folder })
      expect(again.get(NOTES, 'after')).toBeDefined()
      again.close()
      const lines = part.toString().split('\n')
      const warning = `Line ${lines.length} of ${file} is incomplete, and was left out.`
      expect(warn.mock.calls).toEqual(lines.at(-1) === '' ? [] : [[warning]])
    }
    expect([...seen]).toEqual([...new Set(states)])
  })

  it.each([
    ['x', 'is not JSON'],
    ['', 'is not JSON'],
    ['5', 'is not an object'],
    ['null', 'is not an object'],
    ['{"kind":"other","record":{"id":"a"}}', 'is of an unknown kind'],
  ])('refuses a line %j, names it, and leaves the file as it is', (damage, problem) => {
    const folder = temporaryFolder()
    const store = open({ folder })
    fill(store)
    store.close()
    const file = join(folder, 'sandbox.jsonl')
    const lines = readFileSync(file, 'utf8').split('\n')
    const damaged = [...lines.slice(0, 3), damage, ...lines.slice(3)].join('\n')
    writeFileSync(file, damaged)
    expect(() => open({ folder })).toThrow(
      `Line 4 of ${file} ${problem}. Restore the file, or pass another folder.`,
    )
    expect(readFileSync(file, 'utf8')).toBe(damaged)
    expect(readdirSync(folder)).toEqual(['sandbox.jsonl'])
  })

  it('leaves out what a smaller limit does not allow, although the file has later changes of it', () => {
    const folder = temporaryFolder()
    const store = open({ folder })
    for (const id of ['a', 'b', 'c']) store.insert(NOTES, { id, text: '' })
    for (const id of ['a', 'b', 'c']) store.update(NOTES, id, { text: 'new' })
    store.close()
    expect(notesOf(open({ folder, keep: 2 }))).toEqual(['b new', 'c new'])
  })

  it('rewrites its file at the start, and once it is too long', () => {
    const folder = temporaryFolder()
    const size = () => statSync(join(folder, 'sandbox.jsonl')).size
    const store = open({ folder, maxFileBytes: 10_000 })
    store.insert(NOTES, { id: 'a', text: '' })
    const changeOften = (length: number) => {
      for (let count = 0; count < 30; count++) {
        store.update(NOTES, 'a', { text: 'x'.repeat(length) })
        expect(size()).toBeLessThan(Math.max(10_000, 2 * length) + length + 1000)
      }
    }
    changeOften(100)
    expect(size()).toBeGreaterThan(3000)
    changeOften(1000)
    // What is kept is already longer.
    changeOften(20_000)
    store.close()
    const again = open({ folder })
    expect(again.list(NOTES)).toEqual([{ id: 'a', text: 'x'.repeat(20_000) }])
    expect(size()).toBeLessThan(21_000)
  })

  it('changes nothing and announces nothing while the disk is full, and continues after that', () => {
    const folder = temporaryFolder()
    const store = open({ folder })
    store.insert(NOTES, { id: 'a', text: 'one' })
    const announced: Change[] = []
    store.listen((change) => announced.push(change))
    disk.fullFrom = 0
    expect(() => store.insert(NOTES, { id: 'b', text: 'one' })).toThrow('ENOSPC')
    expect(() => {
      store.update(NOTES, 'a', { text: 'two' })
    }).toThrow('ENOSPC')
    expect(notesOf(store)).toEqual(['a one'])
    expect(announced).toEqual([])
    disk.fullFrom = Infinity
    store.insert(NOTES, { id: 'c', text: 'one' })
    store.close()
    expect(notesOf(open({ folder }))).toEqual(['a one', 'c one'])
  })

  it('continues with the file that it has if there is no room for another', () => {
    const folder = temporaryFolder()
    const store = open({ folder, maxFileBytes: 10_000 })
    store.insert(NOTES, { id: 'a', text: '' })
    // The lowest that is free, so that every file that is opened from now on has it or a higher one.
    const free = openSync(folder, 'r')
    closeSync(free)
    disk.fullFrom = free
    const text = 'x'.repeat(1000)
    const changeOften = () => {
      for (let count = 0; count < 30; count++) store.update(NOTES, 'a', { text })
    }
    changeOften()
    expect(statSync(join(folder, 'sandbox.jsonl')).size).toBeGreaterThan(30_000)
    expect(readdirSync(folder).sort()).toEqual(['sandbox.jsonl', 'sandbox.lock'])
    disk.fullFrom = Infinity
    changeOften()
    expect(statSync(join(folder, 'sandbox.jsonl')).size).toBeLessThan(30_000)
    store.close()
    expect(open({ folder }).list(NOTES)).toEqual([{ id: 'a', text }])
  })
})
