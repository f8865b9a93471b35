// Loaded before a program: reports the port that it listens on to the process that started it.
import { Server } from 'node:net'

const { emit } = Server.prototype
Server.prototype.emit = function (event, ...rest) {
  if (event === 'listening') process.send?.(this.address().port)
  return Reflect.apply(emit, this, [event, ...rest])
}
