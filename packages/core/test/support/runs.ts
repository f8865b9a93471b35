/**
 * The number of runs of a property. The variable PROPERTY_FACTOR multiplies it, for a search of hours; without it, a quarter
 * is enough while one works.
 */
export const runs = (count: number): number =>
  Math.ceil(count * Number(process.env['PROPERTY_FACTOR'] ?? 0.25))
