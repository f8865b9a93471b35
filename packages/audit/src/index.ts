/**
 * Tests an endpoint, in any language, with valid and hostile deliveries.
 *
 * @module audit
 */
export type { CaseResult } from './audit-case.js'
export { audit, type AuditOptions } from './audit.js'
export { listCases, type Selection } from './cases/cases.js'
export type { Weakness } from './expectation.js'
export { GROUPS, type Group } from './groups.js'
export { formatHtml } from './report-html.js'
export { formatJunit } from './report-junit.js'
export { formatText, type TextOptions } from './report-text.js'
export { formatJson, type AuditReport } from './report.js'
export { AuditTargetError, type TargetOptions } from './target.js'
