/** The elements of a `Service-Signature` in their order. Those of a forger need not keep the grammar of S6.2. */
export type Elements = readonly Element[]
export type Element = readonly [name: string, value: string]

/** Takes apart what was signed, so that a case can put it together in another way. */
export function elementsOf(header: string): Elements {
  return header.split(',').map((element) => {
    const equals = element.indexOf('=')
    return [element.slice(0, equals), element.slice(equals + 1)]
  })
}

/** The text of the header. */
export function print(elements: Elements): string {
  return elements.map(([name, value]) => `${name}=${value}`).join()
}

/** The same with the values of some elements changed. */
export function change(
  elements: Elements,
  names: readonly string[],
  to: (value: string) => string,
): Elements {
  return elements.map(([name, value]) => [name, names.includes(name) ? to(value) : value])
}

/** The same with only these elements left. */
export function only(elements: Elements, names: readonly string[]): Elements {
  return elements.filter(([name]) => names.includes(name))
}
