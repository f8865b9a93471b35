// For coding agents: SKILL.md as it is, and llms.txt, which is the same with the pages of the site.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { ADDRESSES, GROUPS, root } from './pages.js'

const SKILL = `${root}packages/cli/SKILL.md`

/**
 * @param {string} outDir
 * @param {string} base
 */
export function writeForAgents(outDir, base) {
  const [, body = ''] = readFileSync(SKILL, 'utf8').split(/^---\n[^]*?^---\n/m)
  const lists = GROUPS.map(({ text, pages }) => {
    const links = pages.map(({ text: name, file }) => `- [${name}](${base}${ADDRESSES.get(file)})`)
    return `## ${text}\n\n${links.join('\n')}\n`
  })
  const code = body.replace(/^<!-- example: .* -->\n\n/gm, '')
  writeFileSync(`${outDir}/llms.txt`, [code.trim(), '', ...lists].join('\n'))
  copyFileSync(SKILL, `${outDir}/SKILL.md`)
}
