// What the project can import of the packages that it depends on.
const { readFileSync } = require('node:fs')
const { join } = require('node:path')

const read = (path) => JSON.parse(readFileSync(path, 'utf8'))

/** Every public entry of every package of ours that is installed and has something to import. */
function publicEntries(folder) {
  return Object.keys(read(join(folder, 'package.json')).dependencies)
    .filter((name) => name.startsWith('@service-signature/'))
    .flatMap((name) => {
      const { exports } = read(join(folder, 'node_modules', name, 'package.json'))
      return Object.keys(exports)
        .filter((entry) => entry !== './package.json')
        .map((entry) => name + entry.slice(1))
    })
}

module.exports = { publicEntries }
