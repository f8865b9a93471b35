import {
  appendFileSync,
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { DataFolderError } from '../src/store/data-folder.js'
import type { Customer, Delivery, LoggedRequest } from '../src/store/records.js'
import { Store, type Change } from '../src/store/store.js'
import { temporaryFolder } from './support/folder.js'

/** What a write fails with, if it does. */
const disk = vi.hoisted(() => ({
  failure: undefined as Error | undefined,
  /** Files with this descriptor or a higher one cannot be written. */
  fullFrom: Infinity,
  /** The paths of all files that were opened. */
  opened: [] as string[],
}))

vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>()
  const writeSync = (...given: Parameters<typeof fs.writeSync>) => {
    if (disk.failure !== undefined) throw disk.failure
    if (given[0] >= disk.fullFrom) throw new Error('ENOSPC: no space left on device')
    return real.writeSync(...given)
  }
  const openSync = (...given: Parameters<typeof fs.openSync>) => {
    disk.opened.push(String(given[0]))
    return real.openSync(...given)
  }
  return { ...real, openSync, writeSync }
})

beforeEach(() => {
  disk.failure = undefined
  disk.fullFrom = Infinity
  disk.opened = []
})

const SCOPE = { accountId: 'acc', isLive: false }

function customer(id: string, first_name = 'Jane'): Customer {
  return { id, scope: SCOPE, created: 0, details: { first_name } }
}

/** A delivery whose text is stored. */
function delivery(store: Store, id: string, body: string): Delivery {
  return {
    id,
    type: 'intent.processed',
    source: 'payment',
    isOwn: false,
    forgeries: [],
    isRetried: true,
    url: 'http://127.0.0.1/',
    scope: SCOPE,
    body: store.writeText(body),
    isStable: true,
    created: 0,
    status: 'pending',
    retries: 0,
    attempts: [],
  }
}

function open(options: Partial<ConstructorParameters<typeof Store>[0]> = {}): Store {
  const store = new Store({ keep: 1000, ...options })
  onTestFinished(() => {
    disk.failure = undefined
    store.close()
  })
  return store
}

function customersOf(store: Store): readonly string[] {
  return store.list('customer').map(({ id, details }) => `${id} ${details.first_name!}`)
}

/** Everything that is announced from now on. */
function announcementsOf(store: Store): readonly Change[] {
  const changes: Change[] = []
  store.listen((change) => changes.push(change))
  return changes
}

describe.each([
  ['in memory', () => undefined],
  ['in a folder', temporaryFolder],
])('A store %s', (_where, folderOf) => {
  it('lists records in their order, and changes them in place', () => {
    const store = open({ folder: folderOf() })
    const first = store.insert('customer', customer('a'))
    store.insert('customer', customer('b'))
    store.update('customer', 'a', { details: { first_name: 'John' } })
    expect(customersOf(store)).toEqual(['a John', 'b Jane'])
    expect(store.newestFirst('customer').map(({ id }) => id)).toEqual(['b', 'a'])
    expect(store.get('customer', 'a')).toBe(first)
    store.remove('customer', 'a')
    expect(store.get('customer', 'a')).toBeUndefined()
    expect(store.list('customer').length).toBe(1)
  })

  it('announces each change after it is made', () => {
    const store = open({ folder: folderOf() })
    const seen: unknown[] = []
    const end = store.listen((change) => seen.push([change, customersOf(store)]))
    store.transaction(() => {
      store.insert('customer', customer('a'))
      store.insert('customer', customer('b'))
      store.update('customer', 'a', { details: { first_name: 'John' } })
      expect(seen).toEqual([])
    })
    store.remove('customer', 'b')
    store.update('customer', 'none', { created: 1 })
    store.remove('customer', 'none')
    end()
    store.insert('customer', customer('c'))
    const both = ['a John', 'b Jane']
    expect(seen).toEqual([
      [{ kind: 'customer', id: 'a' }, both],
      [{ kind: 'customer', id: 'b' }, both],
      [{ kind: 'customer', id: 'a' }, both],
      [{ kind: 'customer', id: 'b' }, ['a John']],
    ])
  })

  it('takes back all changes of a transaction that fails, and announces none', () => {
    const store = open({ folder: folderOf() })
    store.insert('customer', customer('a'))
    store.insert('customer', customer('b'))
    store.insert('customer', customer('c'))
    const announced = announcementsOf(store)
    const before = JSON.stringify([...store.list('customer')])
    expect(() =>
      store.transaction(() => {
        store.update('customer', 'a', { details: {}, customFields: store.writeText('{}') })
        store.remove('customer', 'b')
        store.transaction(() => store.insert('customer', customer('d')))
        throw new Error('no')
      }),
    ).toThrow('no')
    expect(JSON.stringify([...store.list('customer')])).toBe(before)
    expect(announced).toEqual([])
  })

  it('keeps the newest records, and announces which it removed', () => {
    const store = open({ folder: folderOf(), keep: 2 })
    const announced = announcementsOf(store)
    for (const id of ['a', 'b', 'c']) store.insert('customer', customer(id))
    expect(customersOf(store)).toEqual(['b Jane', 'c Jane'])
    expect(announced.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'a'])
  })

  it('keeps texts of every length, and reads them in every order', () => {
    const store = open({ folder: folderOf() })
    const texts = ['', 'x', '\u20ac\n"', 'y'.repeat(70_000), 'z'.repeat(200_000)]
    const long = Array.from({ length: 300 }, (_, index) => `${index} `.repeat(500))
    const all = [...texts, ...long]
    const refs = all.map((text) => store.writeText(text))
    expect(refs.map((ref) => store.readText(ref))).toEqual(all)
    expect([...refs].reverse().map((ref) => store.readText(ref))).toEqual([...all].reverse())
    const mixed = refs.map((_, index) => (index * 151) % refs.length)
    for (const index of mixed) expect(store.readText(refs[index]!)).toBe(all[index])
  })

  it('writes its texts again without those that nothing refers to, and finds the others', () => {
    const folder = folderOf()
    const store = open({ folder, keep: 3 })
    const fields = ['a', 'b', 'c'].map((id) => `{"text":"${id.repeat(30_000)}"}`)
    for (const [index, text] of fields.entries()) {
      store.insert('customer', { ...customer(`c${index}`), customFields: store.writeText(text) })
    }
    const text = 'x'.repeat(2 * 1024 * 1024)
    for (let count = 0; count < 40; count++) {
      store.insert('delivery', delivery(store, `dlv_${count}`, `${count} ${text}`))
    }
    const bodies = store.list('delivery').map(({ body }) => store.readText(body).slice(0, 3))
    expect(bodies).toEqual(['37 ', '38 ', '39 '])
    const found = store.list('customer').map(({ customFields }) => store.readText(customFields!))
    expect(found).toEqual(fields)
    if (folder === undefined) return
    const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size)
    expect(Math.max(...sizes)).toBeLessThan(40 * 1024 * 1024)
    expect(readdirSync(folder)).toHaveLength(2)
  })

  it('finds the texts that match a pattern, in every order', () => {
    const store = open({ folder: folderOf() })
    const texts = Array.from({ length: 400 }, (_, index) => {
      const isLong = index % 90 === 0
      return `${'\u20ac'.repeat(isLong ? 30_000 : index)}${index % 150 === 0 ? ' Needle ' : ''} ${index}`
    })
    const refs = texts.map((text) => store.writeText(text))
    for (const pattern of [/needle/i, / 39[89]$/, /nowhere/]) {
      const expected = texts.map((text) => pattern.test(text))
      const found = () => refs.map((ref) => pattern.test(store.readText(ref)))
      expect(found()).toEqual(expected)
      refs.reverse()
      expect(found()).toEqual(expected.reverse())
      refs.reverse()
    }
  })

  it('writes the texts of calls again, too', () => {
    const store = open({ folder: folderOf() })
    const text = 'x'.repeat(2 * 1024 * 1024)
    const call = (id: string): LoggedRequest => ({
      id,
      at: 0,
      method: 'GET',
      path: '/',
      status: 200,
      durationMs: 0,
      headers: store.writeText(`${id} ${text}`),
    })
    store.insert('request', call('first'))
    for (let count = 0; count < 20; count++) {
      store.insert('request', call(`${count}`))
      store.remove('request', `${count}`)
    }
    // The file of the start, and those that were made since.
    expect(
      disk.opened.filter((path) => path.includes('sandbox-') || path.endsWith('.new')).length,
    ).toBeGreaterThan(1)
    expect(store.list('request').map(({ headers }) => store.readText(headers))).toEqual([`first ${text}`])
  })

  it('removes the oldest records of the kind with the longest texts if all are too long together', () => {
    const store = open({ folder: folderOf(), maxTextBytes: 1000 })
    store.insert('customer', { ...customer('c'), customFields: store.writeText('x'.repeat(300)) })
    for (const id of ['a', 'b', 'c']) store.insert('delivery', delivery(store, id, 'x'.repeat(300)))
    expect(store.list('delivery').map(({ id }) => id)).toEqual(['b', 'c'])
    store.insert('delivery', delivery(store, 'd', 'x'.repeat(700)))
    expect(store.list('delivery').map(({ id }) => id)).toEqual(['d'])
    expect(store.list('customer')).toHaveLength(1)
  })

  it('is empty after a reset, and counts from the beginning', () => {
    const store = open({ folder: folderOf() })
    const announced = announcementsOf(store)
    store.insert('delivery', delivery(store, 'dlv', 'x'))
    expect([store.count('a'), store.count('a'), store.count('b')]).toEqual([0, 1, 0])
    store.reset()
    expect(store.list('delivery').length).toBe(0)
    expect(store.count('a')).toBe(0)
    expect(announced.at(-1)).toEqual({ kind: 'reset' })
  })
})

describe('A store in a folder', () => {
  /** Some of everything that can be in a folder. */
  function fill(store: Store): void {
    store.insert('customer', customer('a'))
    store.insert('customer', {
      ...customer('b'),
      customFields: store.writeText('{"text":"\u20ac"}'),
    })
    store.insert('settings', { id: 'settings', defaultEndpoint: 'http://127.0.0.1/' })
    store.insert('delivery', delivery(store, 'dlv_1', 'first'))
    store.count('id dlv')
    store.insert('delivery', delivery(store, 'dlv_2', 'second'))
    store.update('delivery', 'dlv_1', { status: 'dead', nextAttemptAt: 5 })
    store.update('delivery', 'dlv_1', { nextAttemptAt: undefined })
    store.update('settings', 'settings', { defaultEndpoint: undefined })
    store.remove('customer', 'a')
  }

  function everythingOf(store: Store) {
    return {
      customers: [...store.list('customer')],
      settings: [...store.list('settings')],
      deliveries: store.list('delivery').map((each) => ({ ...each, body: store.readText(each.body) })),
    }
  }

  it('has everything again after a restart, and after one more', () => {
    const folder = temporaryFolder()
    const store = open({ folder })
    fill(store)
    const before = everythingOf(store)
    store.close()
    for (let count = 0; count < 2; count++) {
      const again = open({ folder })
      expect(everythingOf(again)).toEqual(before)
      expect(again.seed).toBe(store.seed)
      again.close()
    }
    expect(open({ folder }).count('id dlv')).toBe(1)
  })

  it('has the state of an earlier moment if its records were cut anywhere', () => {
    const folder = temporaryFolder()
    const store = open({ folder })
    const states = [JSON.stringify(everythingOf(store))]
    store.listen(() => states.push(JSON.stringify(everythingOf(store))))
    fill(store)
    store.close()
    const file = join(folder, 'journal')
    const whole = readFileSync(file)
    const header = whole.indexOf('\n') + 1
    const seen = new Set<string>()
    for (let length = header; length <= whole.length; length++) {
      writeFileSync(file, whole.subarray(0, length))
      const cut = new Store({ folder, keep: 1000 })
      seen.add(JSON.stringify(everythingOf(cut)))
      // The next line must not be joined to what was left of another.
      cut.insert('customer', customer('after'))
      cut.close()
      const again = new Store({ folder, keep: 1000 })
      expect(again.get('customer', 'after')).toBeDefined()
      again.close()
    }
    expect([...seen]).toEqual([...new Set(states)])
  })

  it('says which folder is damaged, and where, if it cannot be read', () => {
    const folder = temporaryFolder()
    const store = open({ folder })
    fill(store)
    store.close()
    const file = join(folder, 'journal')
    const whole = readFileSync(file, 'utf8')
    for (const damage of ['x', '[["update","customer","none",{},[]]]', '[["insert","nothing",{}]]']) {
      writeFileSync(file, whole)
      appendFileSync(file, `${damage}\n`)
      const opened = () => new Store({ folder, keep: 1000 })
      expect(opened).toThrow(DataFolderError)
      expect(opened).toThrow(
        `The data folder ${folder} cannot be opened: its journal is damaged at byte ${Buffer.byteLength(whole)} (`,
      )
    }
    writeFileSync(file, whole.slice(0, 20))
    expect(() => new Store({ folder, keep: 1000 })).toThrow(
      `${folder} cannot be opened: its journal does not begin as it must`,
    )
    writeFileSync(file, '{"format":1}\n')
    expect(() => new Store({ folder, keep: 1000 })).toThrow('its journal does not begin as it must')
  })

  it('says so if the journal becomes shorter while it is used', () => {
    const folder = temporaryFolder()
    const store = open({ folder })
    const { body } = store.insert('delivery', delivery(store, 'dlv', 'some text'))
    const journal = join(folder, 'journal')
    truncateSync(journal, 3)
    expect(() => store.readText(body)).toThrow(`${journal} has become shorter`)
  })

  it('reads records of every length', () => {
    const folder = temporaryFolder()
    const store = open({ folder })
    const names = ['Jane', 'x'.repeat(3 * 1024 * 1024), '\u20ac']
    for (const [index, name] of names.entries()) store.insert('customer', customer(`c${index}`, name))
    store.close()
    expect(customersOf(open({ folder }))).toEqual(names.map((name, index) => `c${index} ${name}`))
  })

  it('removes a copy that was not finished', () => {
    const folder = temporaryFolder()
    open({ folder }).close()
    writeFileSync(join(folder, 'journal.new'), '{')
    open({ folder })
    expect(readdirSync(folder)).not.toContain('journal.new')
  })

  it('writes its records again once most of them are outdated', () => {
    const folder = temporaryFolder()
    const store = open({ folder })
    store.insert('customer', customer('a'))
    const text = 'x'.repeat(1024 * 1024)
    for (let count = 0; count < 40; count++) {
      store.update('customer', 'a', { details: { first_name: `${count} ${text}` } })
    }
    expect(statSync(join(folder, 'journal')).size).toBeLessThan(20 * 1024 * 1024)
    store.close()
    expect(customersOf(open({ folder }))).toEqual([`a 39 ${text}`])
  })

  it('changes nothing and announces nothing while the disk is full, and goes on after that', () => {
    const folder = temporaryFolder()
    const store = open({ folder, keep: 2 })
    store.insert('customer', customer('a'))
    store.insert('customer', customer('b'))
    const announced = announcementsOf(store)
    disk.failure = new Error('ENOSPC: no space left on device')
    expect(() => store.insert('customer', customer('c'))).toThrow('ENOSPC')
    expect(() => {
      store.update('customer', 'a', { details: {} })
    }).toThrow('ENOSPC')
    expect(() => store.insert('delivery', delivery(store, 'dlv', 'text'))).toThrow('ENOSPC')
    expect(customersOf(store)).toEqual(['a Jane', 'b Jane'])
    expect(announced).toEqual([])
    disk.failure = undefined
    store.insert('customer', customer('d'))
    expect(customersOf(store)).toEqual(['b Jane', 'd Jane'])
    store.close()
    expect(customersOf(open({ folder }))).toEqual(['b Jane', 'd Jane'])
  })

  it('goes on with the files that it has if there is no room for others', () => {
    const folder = temporaryFolder()
    const store = open({ folder, keep: 3 })
    store.insert('delivery', delivery(store, 'dlv', 'x'))
    // The lowest that is free, so that every file that is opened from now on has it or a higher one.
    const free = openSync(folder, 'r')
    closeSync(free)
    disk.fullFrom = free
    const text = 'x'.repeat(2 * 1024 * 1024)
    const fill = () => {
      for (let count = 0; count < 20; count++) {
        store.insert('delivery', delivery(store, `dlv_${store.count('delivery')}`, text))
      }
    }
    const bytes = () => readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
    fill()
    expect(bytes()).toBeGreaterThan(40 * 1024 * 1024)
    expect(store.list('delivery').map(({ body }) => store.readText(body))).toEqual([text, text, text])
    disk.fullFrom = Infinity
    fill()
    expect(bytes()).toBeLessThan(40 * 1024 * 1024)
    expect(store.list('delivery').map(({ body }) => store.readText(body))).toEqual([text, text, text])
  })

  it('has no calls and no audits after a restart', () => {
    const folder = temporaryFolder()
    const store = open({ folder })
    store.insert('audit', { id: 'aud', url: '', started: 0, state: 'running', problem: null, cases: [] })
    store.close()
    expect(open({ folder }).list('audit').length).toBe(0)
  })
})
