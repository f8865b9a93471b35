/**
 * The names of the groups of cases, without what sends them: for pages.
 *
 * @module groups
 */
export { GROUP_TITLES, GROUPS, type Group } from './cases/groups.js'
