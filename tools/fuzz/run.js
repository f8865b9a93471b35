// Looks for deliveries that break a promise of the built packages. `--help` says more.
import { implementation } from './implementation.js'
import { main } from './main.js'

const interruption = new AbortController()
// Once: who presses Ctrl-C twice means it.
process.once('SIGINT', () => {
  interruption.abort()
})

const { stdout } = process
let isLineOpen = false
/** @param {string} text */
const clearLine = (text) => (isLineOpen ? `\r\x1b[K${text}` : text)

process.exitCode = await main(process.argv.slice(2), {
  implementation,
  print(text) {
    stdout.write(clearLine(`${text}\n`))
    isLineOpen = false
  },
  showProgress: stdout.isTTY
    ? (text) => {
        stdout.write(clearLine(text))
        isLineOpen = true
      }
    : undefined,
  signal: interruption.signal,
  isGuided: true,
  clock: () => performance.now(),
})
