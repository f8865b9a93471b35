const AGAIN_MS = 1000

/** Hears of every change. After each connection all may have changed. */
export function listen(line, { onOpen, onChange }) {
  const source = new EventSource('/_sandbox/stream')
  const show = (state, text) => {
    line.dataset.state = state
    if (line.textContent !== text) line.textContent = text
  }
  source.addEventListener('open', () => {
    show('live', 'Live')
    onOpen()
  })
  source.addEventListener('message', ({ data }) => onChange(JSON.parse(data)))
  source.addEventListener('error', () => {
    show('lost', 'Not connected: trying again')
    // The browser tries again by itself, unless it was told no.
    if (source.readyState === EventSource.CLOSED) {
      setTimeout(() => listen(line, { onOpen, onChange }), AGAIN_MS)
    }
  })
}
