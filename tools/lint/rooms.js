// Which folder of the sources of a package may import from which. ESLint holds it (eslint.config.js).
import { resolve } from 'node:path'

/** @import { Rule } from 'eslint' */
/** @typedef {Record<string, readonly string[]>} Folders The folders that each may import; `.` has the files next to them. */

/**
 * By package. A folder may import only from those above it, so that no two need each other.
 *
 * @type {Readonly<Record<string, Folders>>}
 */
export const ROOMS = {
  core: {
    '.': [],
    shared: ['.'],
    signature: ['.', 'shared'],
    secrets: ['shared', 'signature'],
    events: ['.', 'shared', 'signature'],
    verify: ['.', 'shared', 'signature', 'events'],
    replay: ['.', 'shared', 'signature', 'events', 'verify'],
    receive: ['.', 'shared', 'signature', 'events', 'verify', 'replay'],
    telemetry: ['shared', 'receive'],
    testing: ['.', 'shared', 'signature', 'events', 'verify', 'replay'],
    entries: [
      ...['.', 'shared', 'signature', 'secrets', 'events', 'verify', 'replay', 'receive'],
      ...['telemetry', 'testing'],
    ],
  },
  explain: {
    read: [],
    rules: ['read'],
    search: ['read', 'rules'],
    report: ['read', 'rules', 'search'],
    '.': ['read', 'rules', 'search', 'report'],
  },
  audit: {
    send: [],
    cases: ['send'],
    run: ['send', 'cases'],
    report: ['cases'],
    '.': ['send', 'cases', 'run', 'report'],
  },
  terminal: { '.': [] },
  cli: {
    send: [],
    delivery: [],
    init: ['send'],
    commands: ['send', 'delivery', 'init'],
    '.': ['commands'],
  },
  sandbox: {
    // It uses the sandbox by the name of its package, as others do.
    command: [],
    ...eachFromAllAbove([
      'store',
      'http',
      'faults',
      'accounts',
      'cards',
      'customers',
      'intents',
      'events',
      'deliveries',
      'payments',
      'form',
      'endpoints',
      'settings',
      '.',
    ]),
  },
}

/** Takes the table as its option. */
export const importsBetweenFolders = /** @type {Rule.RuleModule} */ ({
  meta: {
    type: 'problem',
    schema: [{ type: 'object' }],
    messages: {
      unknown: 'The folder "{{from}}" is not in the table of tools/lint/rooms.js.',
      forbidden: '"{{from}}" must not import from "{{to}}"; it may import from: {{allowed}}.',
    },
  },
  create(context) {
    const [rooms] = /** @type {[typeof ROOMS]} */ (context.options)
    const [, name = '', from = '.'] = placeOf(context.filename)
    const folders = rooms[name]
    if (folders === undefined) return {}
    checkOrder(folders)
    const allowed = folders[from]
    if (allowed === undefined) {
      return {
        Program: (node) => {
          context.report({ node, messageId: 'unknown', data: { from } })
        },
      }
    }
    const check = (/** @type {Rule.Node} */ node) => {
      const { source } = /** @type {{ source?: { value?: unknown } | null }} */ (node)
      if (typeof source?.value !== 'string' || !source.value.startsWith('.')) return
      const [, target, to = '.'] = placeOf(resolve(context.filename, '..', source.value))
      if (target !== name || to === from || allowed.includes(to)) return
      context.report({
        node,
        messageId: 'forbidden',
        data: { from, to, allowed: allowed.join(', ') || 'no other folder' },
      })
    }
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
      TSImportType: check,
    }
  },
})

/** @param {readonly string[]} folders */
function eachFromAllAbove(folders) {
  return Object.fromEntries(folders.map((folder, at) => [folder, folders.slice(0, at)]))
}

/** @param {string} file */
function placeOf(file) {
  const path = file.replaceAll('\\', '/')
  const [, name = 'sandbox', folder] =
    /\/(?:packages\/([^/]+)\/src|sandbox(?:\/server|(?=\/command\/)))\/(?:([^/]+)\/)?/.exec(path) ?? []
  return [path, name, folder]
}

/** @param {Folders} folders */
function checkOrder(folders) {
  const names = Object.keys(folders)
  for (const [at, name] of names.entries()) {
    const wrong = folders[name]?.find((other) => !names.slice(0, at).includes(other))
    if (wrong !== undefined)
      throw new Error(`"${name}" may import only from folders above it, got "${wrong}"`)
  }
}
