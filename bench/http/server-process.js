// A process of its own for one endpoint: `server-process.js <host> <guard>`. It tells its port, and its CPU time when
// asked, and ends with the process that started it.
const [host, guard] = process.argv.slice(2)

process.on('disconnect', () => process.exit())
process.on('message', () => process.send(process.cpuUsage()))

const { listen } = await import(`./endpoints/${host}.js`)
process.send({ port: await listen(guard) })
