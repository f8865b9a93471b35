/** Checks each item of a list in one test, because a test for each takes longer than the check. A failure names the item. */
export async function forEach<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  check: (item: Item) => unknown,
): Promise<void> {
  for (const item of items) {
    try {
      await check(item)
    } catch (error) {
      throw new Error(nameOf(item), { cause: error })
    }
  }
}
