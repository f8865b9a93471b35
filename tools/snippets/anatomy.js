// What a snippet is made of, as far as it says how it is run.
import ts from 'typescript'

/**
 * @typedef {object} Anatomy
 * @property {string[]} names what it declares at its top level
 * @property {string[]} exported which of them it exports; "default" among them
 * @property {string[]} imports
 * @property {string[]} environment the variables that it needs
 * @property {string[]} paths where it takes deliveries
 * @property {boolean} listens
 * @property {boolean} isTest whether it is for `node --test`
 * @property {boolean} handlesOnce whether it has a replay store
 * @property {{ log: RegExp[], warn: RegExp[] }} prints what its calls of console.log and console.warn print
 */

/**
 * @param {string} code
 * @returns {Anatomy}
 */
export function anatomyOf(code) {
  const file = ts.createSourceFile('snippet.js', code, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS)
  /** @type {Anatomy} */
  const found = {
    names: [],
    exported: [],
    imports: [],
    environment: [...code.matchAll(/process\.env\.(\w+)/g)].map(([, name = '']) => name),
    paths: [],
    listens: false,
    isTest: false,
    handlesOnce: false,
    prints: { log: [], warn: [] },
  }
  for (const statement of file.statements) readStatement(statement, found)
  readInside(file, found)
  found.isTest = found.imports.includes('node:test')
  found.listens &&= !found.isTest
  return found
}

/**
 * @param {import('typescript').Statement} statement
 * @param {Anatomy} found
 */
function readStatement(statement, found) {
  if (ts.isImportDeclaration(statement)) {
    found.imports.push(/** @type {import('typescript').StringLiteral} */ (statement.moduleSpecifier).text)
  }
  if (ts.isExportAssignment(statement)) found.exported.push('default')
  const declared = ts.isVariableStatement(statement)
    ? statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? name.text : []))
    : ts.isFunctionDeclaration(statement)
      ? [statement.name?.text ?? 'default']
      : []
  const isExported =
    ts.canHaveModifiers(statement) &&
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
  found.names.push(...declared)
  if (isExported) found.exported.push(...declared)
}

/**
 * @param {import('typescript').Node} node
 * @param {Anatomy} found
 */
function readInside(node, found) {
  if (ts.isIdentifier(node) && node.text === 'replay') found.handlesOnce = true
  if (ts.isStringLiteral(node) && /^\/[^*]*$/.test(node.text)) found.paths.push(node.text)
  if (ts.isVariableDeclaration(node) && node.initializer?.getText() === 'process.env') {
    const elements = ts.isObjectBindingPattern(node.name) ? node.name.elements : []
    found.environment.push(
      ...elements.flatMap(({ name, initializer }) => (initializer ? [] : name.getText())),
    )
  }
  if (ts.isCallExpression(node)) {
    found.listens ||= /(?:\.listen|^server\.start|^serve)$/.test(node.expression.getText())
    const method = /^console\.(log|warn)$/.exec(node.expression.getText())?.[1]
    if (method === 'log' || method === 'warn') {
      found.prints[method].push(new RegExp(node.arguments.map(patternOf).join(' ')))
    }
  }
  ts.forEachChild(node, (child) => {
    readInside(child, found)
  })
}

/**
 * @param {import('typescript').Expression} argument
 * @returns {string}
 */
function patternOf(argument) {
  if (ts.isStringLiteralLike(argument)) return escaped(argument.text)
  if (!ts.isTemplateExpression(argument)) return '.+'
  const { head, templateSpans } = argument
  return escaped(head.text) + templateSpans.map(({ literal }) => `.+${escaped(literal.text)}`).join('')
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
