// Whether a snippet says something wrong about the types: a wrong option, a field that does not exist, a missing import.
import ts from 'typescript'

// As an editor checks plain JavaScript that asks for it (// @ts-check): nothing has to be declared, and what may be
// undefined is not asked for. A merchant who writes JavaScript neither declares `req` nor asks whether `req.webhook` is there.
/** @type {import('typescript').CompilerOptions} */
const OPTIONS = {
  allowJs: true,
  checkJs: true,
  strict: false,
  strictFunctionTypes: true,
  strictBindCallApply: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  moduleDetection: ts.ModuleDetectionKind.Force,
  noUnusedLocals: false,
  skipLibCheck: true,
  types: ['node'],
}

/**
 * What the compiler says to each file, by its path; files without a fault are not there.
 *
 * @param {readonly string[]} paths
 * @returns {Map<string, string[]>}
 */
export function faultsOf(paths) {
  const [typed, plain] = [true, false].map((is) => paths.filter((path) => path.endsWith('.ts') === is))
  // Who writes TypeScript is told all.
  return new Map([...faultsWith({ ...OPTIONS, strict: true }, typed), ...faultsWith(OPTIONS, plain)])
}

/**
 * @param {import('typescript').CompilerOptions} options
 * @param {readonly string[]} [paths]
 */
function faultsWith(options, paths = []) {
  const program = ts.createProgram([...paths], options)
  /** @type {Map<string, string[]>} */
  const faults = new Map()
  for (const diagnostic of ts.getPreEmitDiagnostics(program)) {
    if (isNarrowing(diagnostic, program.getTypeChecker())) continue
    const { file, start = 0, messageText, code } = diagnostic
    const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1
    const text = `line ${line}: TS${code}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
    const path = file?.fileName ?? ''
    faults.set(path, [...(faults.get(path) ?? []), text])
  }
  return faults
}

/**
 * Whether it only says that something may be of another type, too: of an `unknown`, or of a union one of whose types has the
 * property. Who writes JavaScript knows which it is, and does not ask. A property that none of the types has is a fault.
 *
 * @param {import('typescript').Diagnostic} diagnostic
 * @param {import('typescript').TypeChecker} checker
 */
function isNarrowing({ code, file, start = 0 }, checker) {
  if (code !== PROPERTY_DOES_NOT_EXIST || file?.fileName.endsWith('.js') !== true) return false
  const access = accessAt(file, start)
  if (access === undefined) return false
  const type = checker.getTypeAtLocation(access.expression)
  if ((type.flags & ts.TypeFlags.Unknown) !== 0) return true
  return type.isUnion() && type.types.some((each) => each.getProperty(access.name.text) !== undefined)
}

const PROPERTY_DOES_NOT_EXIST = 2339

/**
 * The access to a property whose name begins there.
 *
 * @param {import('typescript').Node} node
 * @param {number} start
 * @returns {import('typescript').PropertyAccessExpression | undefined}
 */
function accessAt(node, start) {
  if (ts.isPropertyAccessExpression(node) && node.name.getStart() === start) return node
  return ts.forEachChild(node, (child) => accessAt(child, start))
}
