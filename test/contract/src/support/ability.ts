import type { Ability, Host } from '../host.js'

/** Whether the cases that need this ability must be skipped. */
export function lacks(host: Host, ability: Ability): boolean {
  return host.lacks?.includes(ability) === true
}
