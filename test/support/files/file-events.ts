import { readdirSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { vi } from "vitest";

type FileMethod = "write" | "writeFile" | "read" | "datasync" | "sync";

/**
 * The calls of open files, in order: "write begins", "write ends". Each ends a turn later than it would, so that code
 * that does not wait for it is noticed.
 */
export async function recordFileEvents(methods: readonly FileMethod[]): Promise<readonly string[]> {
  const events: string[] = [];
  const files = await filePrototype();
  for (const method of methods) {
    const original = files[method] as (...args: unknown[]) => Promise<unknown>;
    vi.spyOn(files, method).mockImplementation(async function (this: FileHandle, ...args: unknown[]) {
      events.push(`${method} begins`);
      const result = await original.apply(this, args);
      await new Promise(setImmediate);
      events.push(`${method} ends`);
      return result as never;
    });
  }
  return events;
}

/** The number of files that this process has open. */
export function openFiles(): number {
  return readdirSync("/dev/fd").length;
}

/** Makes the next call of a method fail, after which it works again. */
export async function failOnce(method: FileMethod, error: unknown): Promise<void> {
  vi.spyOn(await filePrototype(), method).mockRejectedValueOnce(error);
}

async function filePrototype(): Promise<FileHandle> {
  const handle = await open(tmpdir(), "r");
  await handle.close();
  return Object.getPrototypeOf(handle) as FileHandle;
}
