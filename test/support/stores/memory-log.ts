import type { AppendOutcome, Log, LogDay, LogItem, LogKey, LogPage } from "../../../src/ports/log.ts";

/** A log in memory. */
export class MemoryLog implements Log {
  readonly #items = new Map<string, LogItem>();

  async append(item: LogItem): Promise<AppendOutcome> {
    const stored = this.#items.get(keyText(item.key));
    if (stored === undefined) {
      this.#items.set(keyText(item.key), item);
      return { outcome: "appended" };
    }
    if (stored.sha256 === item.sha256) return { outcome: "duplicate" };
    return { outcome: "conflict", storedSha256: stored.sha256 };
  }

  async read(key: LogKey): Promise<LogItem | undefined> {
    return this.#items.get(keyText(key));
  }

  async readDay(
    { cluster, day }: LogDay,
    { after, limit }: { readonly after?: LogKey; readonly limit: number },
  ): Promise<LogPage> {
    const items = [...this.#items.values()]
      .filter(({ key }) => key.pk === `${cluster}#${day}` && (after === undefined || key.sk > after.sk))
      .sort((a, b) => (a.key.sk < b.key.sk ? -1 : 1));
    const page = items.slice(0, limit);
    const last = page.at(-1);
    return items.length > limit && last !== undefined ? { items: page, next: last.key } : { items: page };
  }
}

function keyText({ pk, sk }: LogKey): string {
  return `${pk}|${sk}`;
}
