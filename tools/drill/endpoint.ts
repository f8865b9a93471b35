import { deliveryKey, type ReplayStore } from '@service-signature/core'
import { serviceSignature } from '@service-signature/express'
import express from 'express'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'

/** A step of an endpoint. The token names the claim, and so one handling of one delivery. */
export type Report =
  | { readonly kind: 'claimed'; readonly token: string; readonly askedAt: number; readonly at: number }
  | { readonly kind: 'handled'; readonly id: string; readonly token: string; readonly at: number }
  | {
      readonly kind: 'ended'
      readonly token: string
      readonly at: number
      readonly step: 'commit' | 'release'
      readonly error?: string
    }
  | { readonly kind: 'store error'; readonly error: string }

/**
 * Runs an Express endpoint over the store, in a process of its own. It sends its port to the process that started it,
 * then a {@link Report} of each step.
 *
 * @param book the handler of a delivery
 */
export async function runEndpoint(
  store: ReplayStore,
  book: (id: string, token: string) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const tokens = new Map<string, string>()
  const end = async (step: 'commit' | 'release', key: string, token: string) => {
    try {
      await store[step](key, token)
      report({ kind: 'ended', token, step, at: now() })
    } catch (error) {
      report({ kind: 'ended', token, step, at: now(), error: (error as Error).message })
      throw error
    }
  }
  const replay: ReplayStore = {
    async claim(key) {
      const askedAt = now()
      try {
        const claim = await store.claim(key)
        if (claim.status === 'new') {
          tokens.set(key, claim.token)
          report({ kind: 'claimed', token: claim.token, askedAt, at: now() })
        }
        return claim
      } catch (error) {
        report({ kind: 'store error', error: (error as Error).message })
        throw error
      }
    },
    commit: (key, token) => end('commit', key, token),
    release: (key, token) => end('release', key, token),
  }

  const app = express()
  app.post('/webhooks', serviceSignature({ secret: process.env['SECRET']!, replay }), async (req, res) => {
    const webhook = req.webhook!
    const key = await deliveryKey(webhook)
    const token = tokens.get(key)!
    // Handlers of different lengths, so that some are at work when a server dies.
    await setTimeout(Number.parseInt(key.slice(0, 2), 16) / 8)
    const { id } = webhook.event.payload as { id: string }
    await book(id, token)
    report({ kind: 'handled', id, token, at: now() })
    res.sendStatus(204)
  })
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The drill has ended, or was ended.
  process.once('disconnect', () => process.exit())
  process.send!((server.address() as AddressInfo).port)
}

function report(message: Report): void {
  process.send!(message)
}

/** Milliseconds, the same in every process of this machine. */
function now(): number {
  return performance.timeOrigin + performance.now()
}
