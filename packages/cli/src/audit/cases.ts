import type { AuditGroup, GroupedCase } from './case.js'
import { answers } from './cases/answers.js'
import { body } from './cases/body.js'
import { downgrade } from './cases/downgrade.js'
import { genuine } from './cases/genuine.js'
import { header } from './cases/header.js'
import { keys } from './cases/keys.js'
import { odd } from './cases/odd.js'
import { tampered } from './cases/tampered.js'
import { time } from './cases/time.js'
import { unsigned } from './cases/unsigned.js'

// What is genuine, then what would be the worst to accept.
const GROUPS: readonly AuditGroup[] = [
  genuine,
  unsigned,
  keys,
  tampered,
  time,
  downgrade,
  header,
  body,
  odd,
  answers,
]

/** All that an audit plays, in its order. The first case is a genuine delivery. */
export const CASES: readonly GroupedCase[] = GROUPS.flatMap(({ name: group, cases }) =>
  cases.map((row) => ({ ...row, group })),
)
