import type { Ability, Host } from '../host.js'

/** Whether the cases that take it are to be skipped. */
export function lacks(host: Host, ability: Ability): boolean {
  return host.lacks?.includes(ability) === true
}
