/**
 * Lets others go on. A runtime may forbid one request to wait for what another one does (Workers do), so the wait is
 * made of looking again.
 *
 * @returns {Promise<void>}
 */
export function pause() {
  return new Promise((resolve) => {
    setTimeout(resolve, 2)
  })
}
