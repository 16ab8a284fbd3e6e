/**
 * The pages read last, by the hash of their content: such a page never changes, so it needs no reading twice in one process,
 * whatever projection it lies in.
 */
export class PageCache<Page> {
  readonly #most: number;
  /** In the order of use: a Map keeps the order in which keys were set. */
  readonly #pages = new Map<string, Page>();

  constructor(most: number) {
    this.#most = most;
  }

  get(hash: string): Page | undefined {
    const page = this.#pages.get(hash);
    if (page !== undefined) this.set(hash, page);
    return page;
  }

  set(hash: string, page: Page): void {
    this.#pages.delete(hash);
    this.#pages.set(hash, page);
    if (this.#pages.size <= this.#most) return;
    const [oldest] = this.#pages.keys();
    if (oldest !== undefined) this.#pages.delete(oldest);
  }
}
