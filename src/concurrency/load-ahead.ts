/**
 * Loads something for each item, up to `most` at once, and yields the results in the order of the items. Nothing is
 * loaded beyond what the caller takes, and those `most`.
 */
export async function* loadAhead<Item, Loaded>(
  items: Iterable<Item>,
  most: number,
  load: (item: Item) => Promise<Loaded>,
): AsyncGenerator<Loaded> {
  const loading: Promise<Loaded>[] = [];
  for (const item of items) {
    const one = load(item);
    // A failure is thrown when its turn comes. Until then it must not count as unhandled.
    one.catch(() => undefined);
    loading.push(one);
    if (loading.length < most) continue;
    const [first] = loading.splice(0, 1);
    if (first !== undefined) yield await first;
  }
  for (const one of loading) yield await one;
}
