/**
 * Tests an endpoint, in any language, with valid and hostile deliveries.
 *
 * @module audit
 */
export type { CaseResult } from './cases/audit-case.js'
export { audit, type AuditOptions } from './audit.js'
export { listCases, type Selection } from './cases/cases.js'
export type { Weakness } from './cases/expectation.js'
export { GROUPS, type Group } from './cases/groups.js'
export { formatHtml } from './report/report-html.js'
export { formatJunit } from './report/report-junit.js'
export { formatMarkdown } from './report/report-markdown.js'
export { formatText, type TextOptions } from './report/report-text.js'
export { formatJson, type AuditReport } from './report/report.js'
export { AuditTargetError, type TargetOptions } from './send/target.js'
