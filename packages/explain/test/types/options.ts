// Compiled with the workspace (npm run types), never run: what the types of the options allow.
import { explain, type ExplainOptions } from '../../src/index.js'

// An environment variable compiles. If it is missing, that is an error when explain is called.
declare const fromEnvironment: string | undefined
const options: ExplainOptions = { secret: fromEnvironment, apiKey: fromEnvironment }
void explain('{}', 't=1', options)
