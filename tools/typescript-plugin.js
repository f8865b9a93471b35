// Turns the sources into JavaScript for Rollup, and keeps them as small in the bundles of applications as separate modules.
import { transform } from 'esbuild'

/** @import { Plugin, ProgramNode } from 'rollup' */

// The same as in tsconfig.json, for the decorators of Nest.
const TSCONFIG = { compilerOptions: { experimentalDecorators: true } }

/** @returns {Plugin} */
export function typeScript() {
  return {
    name: 'typescript',
    async transform(source) {
      const { code } = await transform(source, { loader: 'ts', target: 'es2022', tsconfigRaw: TSCONFIG })
      return { code: withPureCalls(code, this.parse(code)), map: null }
    },
  }
}

/**
 * Marks the calls that compute constants of a module. The packages have no side effects, so a bundler leaves out a module
 * that is not used; in one large file it leaves out an unused constant only if its call is marked.
 *
 * @param {string} code
 * @param {ProgramNode} program
 */
function withPureCalls(code, program) {
  const constants = program.body.flatMap((statement) => {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    return declaration?.type === 'VariableDeclaration' ? declaration.declarations : []
  })
  const starts = new Set(constants.flatMap(({ init }) => callsIn(init)))
  // From the end, so that the positions before it stay correct.
  return [...starts]
    .sort((a, b) => b - a)
    .reduce((text, start) => `${text.slice(0, start)}/* @__PURE__ */ ${text.slice(start)}`, code)
}

/**
 * Where the calls start that an expression makes when it is computed. Calls in the functions that it defines are later.
 *
 * @param {unknown} node of a syntax tree, or a list of them
 * @returns {number[]}
 */
function callsIn(node) {
  if (typeof node !== 'object' || node === null) return []
  const { type = '', start } = /** @type {{ type?: string, start: number }} */ (node)
  if (/Function|Class/.test(type)) return []
  const inside = Object.values(node).flatMap(callsIn)
  return type === 'CallExpression' || type === 'NewExpression' ? [start, ...inside] : inside
}
