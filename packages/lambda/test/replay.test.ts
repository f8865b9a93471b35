import { createDispatcher, memoryReplayStore, type ReplayStore } from '@service-signature/core'
import { serviceSignature, type HttpEvent } from '@service-signature/lambda'
import { describe, expect, it, vi } from 'vitest'
import { now, secret, watched } from './support/deliveries.js'
import { context } from './support/gateway.js'
import { recorded } from './support/origins.js'

const event = recorded('api-gateway-http-2.0') as HttpEvent

/** A store as over a network: each of its steps takes some turns of the event loop. */
function remoteStore(): { readonly store: ReplayStore; readonly steps: readonly string[] } {
  const inner = memoryReplayStore()
  const steps: string[] = []
  const turns = async () => {
    for (let count = 0; count < 5; count++) await new Promise(setImmediate)
  }
  return {
    steps,
    store: {
      async claim(key) {
        await turns()
        return inner.claim(key)
      },
      async commit(key, token) {
        await turns()
        inner.commit(key, token)
        steps.push('commit')
      },
      async release(key, token) {
        await turns()
        inner.release(key, token)
        steps.push('release')
      },
    },
  }
}

describe('before the invocation ends and the process is frozen, the store records', () => {
  it.each<[what: string, returned: unknown, step: string]>([
    ['that the handler returned nothing', undefined, 'commit'],
    ['that the answer is 200', 'thanks', 'commit'],
    ['that the answer is 204', { statusCode: 204 }, 'commit'],
    ['that the answer is 302', { statusCode: 302 }, 'release'],
    ['that the answer is 304', { statusCode: 304 }, 'release'],
    ['that the answer is 399', { statusCode: 399 }, 'release'],
    ['that the answer is 400', { statusCode: 400 }, 'release'],
    ['that the answer is 500', { statusCode: 500 }, 'release'],
  ])('%s', async (_what, returned, step) => {
    const { store, steps } = remoteStore()
    const { handler, invoke } = watched({ replay: store })
    handler.mockReturnValueOnce(returned as never)
    await invoke(event)
    expect(steps).toEqual([step])
    await invoke(event)
    expect(handler).toHaveBeenCalledTimes(step === 'commit' ? 1 : 2)
  })

  it.each<[what: string, work: () => never]>([
    [
      'that the handler failed',
      () => {
        throw new Error('the database is down')
      },
    ],
    ['that it returned no response', () => ({ status: 200 }) as never],
    ['that it returned no headers', () => ({ statusCode: 200, headers: null }) as never],
  ])('%s', async (_what, work) => {
    const { store, steps } = remoteStore()
    const { handler, invoke } = watched({ replay: store })
    handler.mockImplementationOnce(work)
    const balanced = recorded('load-balancer-multi-value')
    await expect(invoke(balanced)).rejects.toThrow()
    expect(steps).toEqual(['release'])
    expect(await invoke(balanced)).toMatchObject({ statusCode: 204 })
    expect(steps).toEqual(['release', 'commit'])
    expect(handler).toHaveBeenCalledTimes(2)
  })

  it('the outcome of a dispatcher', async () => {
    const { store, steps } = remoteStore()
    const work = vi.fn<() => unknown>().mockRejectedValueOnce(new Error('the database is down'))
    const dispatcher = createDispatcher().on('*', work)
    const invoke = serviceSignature({ secret, now, dispatcher, replay: store })
    await expect(invoke(event, context)).rejects.toThrow('the database is down')
    expect(steps).toEqual(['release'])
    await invoke(event, context)
    expect(steps).toEqual(['release', 'commit'])
  })
})

describe.each([
  'api-gateway-rest',
  'api-gateway-http-2.0',
  'function-url',
  'load-balancer',
  'load-balancer-multi-value',
])('in an event of %s, a delivery', (name) => {
  it('that was handled is acknowledged, and not handled again', async () => {
    const { handler, invoke } = watched({ replay: memoryReplayStore() })
    expect(await invoke(recorded(name))).toMatchObject({ statusCode: 204 })
    expect(await invoke(recorded(name))).toMatchObject({ statusCode: 200, body: '' })
    expect(handler).toHaveBeenCalledOnce()
  })

  it('that is being handled is refused with a Retry-After', async () => {
    const { handler, onRejected, invoke } = watched({ replay: memoryReplayStore() })
    let finish!: () => void
    handler.mockReturnValueOnce(new Promise<void>((resolve) => (finish = resolve)))
    const first = invoke(recorded(name))
    await expect.poll(() => handler.mock.calls).toHaveLength(1)
    const { statusCode, headers, multiValueHeaders } = await invoke(recorded(name))
    expect(statusCode).toBe(409)
    expect({ ...headers, ...multiValueHeaders }).toMatchObject({
      'Retry-After': multiValueHeaders === undefined ? '10' : ['10'],
    })
    expect(onRejected.mock.calls).toMatchObject([[{ code: 'ERR_DELIVERY_IN_PROGRESS' }, {}]])
    finish()
    expect(await first).toMatchObject({ statusCode: 204 })
    expect(handler).toHaveBeenCalledOnce()
  })
})
