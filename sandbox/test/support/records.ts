import { Endpoint } from './endpoint.js'
import { Service } from './service.js'

/** A service on which a second passes before each call, and its deliveries are sent after it. */
export async function startWithSeconds() {
  const service = await Service.start()
  const start = service.clock.now()
  const endpoint = await Endpoint.start()
  const second = async <Value>(call: () => Promise<Value>): Promise<Value> => {
    service.clock.advance(1000)
    const value = await call()
    await service.sandbox.idle()
    return value
  }
  /** So many seconds after the start. */
  const at = (seconds: number) => new Date(start + seconds * 1000).toISOString().replace('Z', '000Z')
  return { service, endpoint, second, at }
}
