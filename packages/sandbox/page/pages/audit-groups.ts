import { GROUP_TITLES as TITLES } from '@service-signature/audit/groups'

/** What each group of cases sends. Without "owner", because the page does not ask whose the endpoint is. */
export const GROUP_TITLES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(TITLES).filter(([group]) => group !== 'owner'),
)
