/** The signature versions, in the order of the header. What each signs is a row in `versions.ts`. */
export const VERSION_NAMES = ['v1', 'v2', 'v3'] as const

/** The name of a signature version, as the header spells it. */
export type Version = (typeof VERSION_NAMES)[number]

export function isVersion(name: unknown): name is Version {
  return (VERSION_NAMES as readonly unknown[]).includes(name)
}

/** The forms of the JSON text that v2 signs, the likeliest first. What each prints is a row in `canonical-json/forms.ts`. */
export const CANONICAL_FORMS = ['source', 'ecmascript', 'python'] as const

/** How the sender printed the JSON text that v2 signs, where the documentation of the service leaves it open. */
export type CanonicalForm = (typeof CANONICAL_FORMS)[number]
