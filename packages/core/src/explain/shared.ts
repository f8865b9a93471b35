/** What both entries of explain offer alike. */
export { formatReport, type FormatOptions } from './format.js'
export type { HypothesisName } from './names.js'
export type { ExplainOptions } from './options.js'
export type { CheckName, ExplainCheck, ExplainReport, Hypothesis } from './report.js'
