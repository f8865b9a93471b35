// What the browser keeps for the page between visits. Some browsers keep nothing, and throw.

export function recall(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined
  } catch {
    return undefined
  }
}

export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(name, value)
  } catch {
    // It is asked for again the next time.
  }
}

export function forget(name: string): void {
  try {
    localStorage.removeItem(name)
  } catch {
    // There is nothing to forget.
  }
}
