import { Refused } from './api.js'

/** The line in which the page says what came of something; screen readers read it out. */
export function createNotice(line) {
  function say(tone, ...content) {
    line.dataset.tone = tone
    line.replaceChildren(...content)
  }
  return {
    say: (...content) => say('good', ...content),
    judge: (isGood, text) => say(isGood ? 'good' : 'bad', text),
    clear: () => say('none'),
    /** Does something, and says that it is done, or why it is not. Resolves to its answer, if there was one. */
    async during(action, done) {
      try {
        const answer = await action()
        if (done !== undefined) say('good', done)
        return answer
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        say('bad', error.message)
        return undefined
      }
    },
  }
}
