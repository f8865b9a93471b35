import {
  durableObjectReplayStore,
  ReplayObject,
  type Namespace,
  type ObjectStorage,
} from '@service-signature/cloudflare'
import { TIMES, type StoreKind } from '../simulation.js'

/** Faults that the fake can have on purpose, or of how it is used. */
export type ObjectMistake =
  | 'lets requests in while an object reads its storage'
  | 'runs the alarm of a claim after the commit'
  | 'forgets a commit too early'

/** Each object has its storage and its alarm, and gets one event at a time: requests, and alarms. */
class FakeObject {
  readonly entries = new Map<string, unknown>()
  readonly #object: ReplayObject
  readonly #mistake: ObjectMistake | undefined
  readonly #read: () => Promise<void>
  #alarm: ReturnType<typeof setTimeout> | undefined
  #events: Promise<unknown> = Promise.resolve()

  /** @param read how long a read of the storage takes */
  constructor(mistake: ObjectMistake | undefined, read: () => Promise<void>) {
    this.#mistake = mistake
    this.#read = read
    this.#object = new ReplayObject({ storage: this.#storage() })
  }

  fetch(url: string): Promise<Response> {
    return this.#event(() => this.#object.fetch({ url }))
  }

  alarm(): Promise<void> {
    return this.#event(() => this.#object.alarm())
  }

  get hasAlarm(): boolean {
    return this.#alarm !== undefined
  }

  #event<Result>(run: () => Promise<Result>): Promise<Result> {
    if (this.#mistake === 'lets requests in while an object reads its storage') return run()
    const ended = this.#events.then(run)
    this.#events = ended.catch(() => undefined)
    return ended
  }

  #storage(): ObjectStorage {
    return {
      get: async <Value>(key: string) => {
        const value = this.entries.get(key) as Value | undefined
        await this.#read()
        return value
      },
      put: async (key, value) => {
        this.entries.set(key, value)
        return Promise.resolve()
      },
      deleteAll: async () => {
        this.entries.clear()
        return Promise.resolve()
      },
      setAlarm: async (time) => {
        if (this.#mistake === 'runs the alarm of a claim after the commit' && this.#alarm !== undefined)
          return
        clearTimeout(this.#alarm)
        this.#alarm = setTimeout(() => void this.#runAlarm(), time - Date.now())
        this.#alarm.unref()
        return Promise.resolve()
      },
      deleteAlarm: async () => {
        clearTimeout(this.#alarm)
        this.#alarm = undefined
        return Promise.resolve()
      },
    }
  }

  async #runAlarm(): Promise<void> {
    this.#alarm = undefined
    if (this.#mistake === 'runs the alarm of a claim after the commit') this.entries.clear()
    else await this.alarm()
  }
}

/** The network of a request to an object, with or without delays and faults. */
export type SendRequest = (step: string, run: () => Promise<Response>) => Promise<Response>

/** The objects of a namespace, made when they are first named. */
export class FakeObjects {
  readonly #objects = new Map<string, FakeObject>()
  readonly #mistake: ObjectMistake | undefined
  readonly #read: () => Promise<void>

  constructor(mistake?: ObjectMistake, read: () => Promise<void> = () => Promise.resolve()) {
    this.#mistake = mistake
    this.#read = read
  }

  object(name: string): FakeObject {
    const object = this.#objects.get(name) ?? new FakeObject(this.#mistake, this.#read)
    this.#objects.set(name, object)
    return object
  }

  /** The binding of a Worker. */
  connect(send: SendRequest = (_step, run) => run()): Namespace<string> {
    return {
      idFromName: (name) => name,
      get: (name) => ({
        fetch: (url) =>
          send(new URL(url).pathname.slice(1).toUpperCase(), () => this.object(name).fetch(url)),
      }),
    }
  }
}

/** The store of Durable Objects, which all Workers share. */
export function inObjects(name: string, mistake?: ObjectMistake): StoreKind {
  return {
    name,
    isShared: true,
    isTransactional: false,
    open(simulation) {
      const objects = new FakeObjects(mistake, () => simulation.turn('an object reads its storage'))
      return (attempt) => {
        const namespace = objects.connect((step, run) =>
          attempt.process.call(`${step} for ${attempt.name}`, async () => {
            const response = await run()
            // The request may have waited for others at the object.
            if (step === 'COMMIT') attempt.committedAt = Date.now()
            return response
          }),
        )
        const isEarly = mistake === 'forgets a commit too early'
        return {
          replay: durableObjectReplayStore(namespace, isEarly ? { ...TIMES, ttlSeconds: 3600 } : TIMES),
        }
      }
    },
  }
}

export const IN_OBJECTS = inObjects('the store of Durable Objects')
