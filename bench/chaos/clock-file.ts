import { rmSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { join } from "node:path";

/** The wall clock of a program that was started with {@link ClockFile.nodeOptions}. */
export class ClockFile {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  get nodeOptions(): string {
    return `--import=${pathToFileURL(join(import.meta.dirname, "jumping-clock.ts")).href}?clock=${this.#file}`;
  }

  jump(byMillis: number): void {
    writeFileSync(this.#file, String(byMillis));
  }

  reset(): void {
    rmSync(this.#file, { force: true });
  }
}
