/** Where a key leads in a table of `count` rows, `page` of them in observation; nothing where the key is none of the table's. */
export function movedRow(key: string, at: number, count: number, page: number): number | undefined {
  const to = destination(key, at, count, page);
  return to === undefined ? undefined : Math.max(0, Math.min(count - 1, to));
}

function destination(key: string, at: number, count: number, page: number): number | undefined {
  switch (key) {
    case "ArrowDown":
    case "j":
      return at + 1;
    case "ArrowUp":
    case "k":
      return at - 1;
    case "PageDown":
      return at + page;
    case "PageUp":
      return at - page;
    case "Home":
      return 0;
    case "End":
      return count - 1;
  }
  return undefined;
}
