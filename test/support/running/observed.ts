/** A state that changes by itself, for which a test waits without a timeout. */
export class Observed {
  #waiting: { readonly holds: () => boolean; readonly resolve: () => void }[] = [];

  /** Resolves when `holds` returns true. */
  async until(holds: () => boolean): Promise<void> {
    if (holds()) return;
    await new Promise<void>((resolve) => {
      this.#waiting.push({ holds, resolve });
    });
  }

  protected changed(): void {
    const waiting = this.#waiting;
    this.#waiting = waiting.filter(({ holds }) => !holds());
    for (const { holds, resolve } of waiting) if (holds()) resolve();
  }
}
