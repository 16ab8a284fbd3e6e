/** The most recently used pages by the hash of their content. A page with a given hash never changes. */
export class PageCache<Page> {
  readonly #maxPages: number;
  /** In order of use: a Map iterates in the order in which keys were set. */
  readonly #pages = new Map<string, Page>();

  constructor(maxPages: number) {
    this.#maxPages = maxPages;
  }

  get(hash: string): Page | undefined {
    const page = this.#pages.get(hash);
    if (page !== undefined) this.set(hash, page);
    return page;
  }

  set(hash: string, page: Page): void {
    this.#pages.delete(hash);
    this.#pages.set(hash, page);
    if (this.#pages.size <= this.#maxPages) return;
    const [oldest] = this.#pages.keys();
    if (oldest !== undefined) this.#pages.delete(oldest);
  }
}
