/** @import { Input } from '../input.js' */
/** @import { Random } from '../random.js' */
/** @import { Trial } from '../trial.js' */
/** @import { VectorInput } from '../vectors.js' */

/**
 * One part of core, how to make inputs for it, and what must hold for each of them.
 *
 * @typedef {object} Target
 * @property {string} name
 * @property {string} promise what must hold, in words
 * @property {readonly Readonly<Record<string, string>>[]} starts inputs to begin with where there is no corpus
 * @property {(vector: VectorInput) => Readonly<Record<string, Uint8Array>>} fromVector
 * @property {(input: Input, other: Input, random: Random) => Input} mutate
 * @property {(input: Input, trial: Trial) => Promise<void>} run fails where the promise is broken
 */

export {}
