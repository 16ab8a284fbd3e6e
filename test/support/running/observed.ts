/** Something that goes on by itself, and that a test waits for without looking at the time. */
export class Observed {
  #waiting: { readonly holds: () => boolean; readonly resolve: () => void }[] = [];

  /** Resolves as soon as `holds` does. */
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
