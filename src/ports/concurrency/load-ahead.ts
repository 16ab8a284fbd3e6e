/**
 * Loads something for each item, and yields the results in the order of the items. At most `most` items are loaded at
 * once, and at most `most` items ahead of the caller.
 */
export async function* loadAhead<Item, Loaded>(
  items: Iterable<Item>,
  most: number,
  load: (item: Item) => Promise<Loaded>,
): AsyncGenerator<Loaded> {
  const loading: Promise<Loaded>[] = [];
  for (const item of items) {
    const one = load(item);
    // A failure is thrown when the caller reaches this item. Until then it must not count as unhandled.
    one.catch(() => undefined);
    loading.push(one);
    if (loading.length < most) continue;
    const [first] = loading.splice(0, 1);
    if (first !== undefined) yield await first;
  }
  for (const one of loading) yield await one;
}
