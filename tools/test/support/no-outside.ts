// Makes unit tests fail that reach anything outside their process, so that they are fast and alike on every machine.
import childProcess, { ChildProcess } from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import { Server, Socket } from 'node:net'

function fail(): never {
  throw new Error(
    'A unit test opened a socket or started a process. Name the file *.socket.test.ts, or after the tool it needs: see vitest.config.ts',
  )
}

Server.prototype.listen = fail
Socket.prototype.connect = fail
Object.assign(ChildProcess.prototype, { spawn: fail })
Object.assign(childProcess, { spawnSync: fail, execFileSync: fail, execSync: fail })
syncBuiltinESMExports()
