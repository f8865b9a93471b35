/** `2025-03-27 15:41:20.371000+00:00`, as shape A has it. */
export function spacedTimestamp(milliseconds: number): string {
  return isoTimestamp(milliseconds).replace('T', ' ').replace('Z', '+00:00')
}

/** `2025-03-27T15:41:20.371000Z`, as shape B has it. */
export function isoTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '000Z')
}
