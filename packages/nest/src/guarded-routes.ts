import type { Type } from '@nestjs/common'
import type { MetadataScanner } from '@nestjs/core'

/** Metadata key on guarded controllers and methods. */
export const GUARDED = Symbol('service-signature:guarded')

// Nest's FastifyAdapter reads the config of a route from this key (@nestjs/platform-fastify/constants).
const FASTIFY_ROUTE_CONFIG = '__fastify_route_config__'

/**
 * Marks the guarded methods where the platforms can see it: Nest copies the metadata of a method to the
 * function that it registers in Express, and gives a part of it to Fastify as the config of the route.
 *
 * @returns the controllers that have guarded methods
 */
export function markGuardedRoutes(controllers: readonly Type[], scanner: MetadataScanner): readonly Type[] {
  return controllers.filter((controller) => {
    const prototype = controller.prototype as Readonly<Record<string, object>>
    const methods = scanner.getAllMethodNames(prototype).map((name) => prototype[name]!)
    const guarded = methods.filter((method) => isMarked(controller) || isMarked(method))
    for (const method of guarded) {
      const config = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG, method) as object | undefined
      Reflect.defineMetadata(FASTIFY_ROUTE_CONFIG, { ...config, [GUARDED]: true }, method)
      Reflect.defineMetadata(GUARDED, true, method)
    }
    return guarded.length > 0
  })
}

/** Whether this class or function is guarded: as it was declared, or as Nest has copied it. */
export function isMarked(target: object): boolean {
  return Reflect.getMetadata(GUARDED, target) === true
}
