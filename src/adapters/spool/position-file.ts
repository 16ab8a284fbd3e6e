import { mkdir, open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import type { PositionStore } from "../../ports/position-store.ts";
import { SpoolBrokenError } from "./spool-record.ts";

const FILE = "position.json";

/**
 * The position in a file beside the spool. It is replaced as a whole, so a crash leaves either the old or the new
 * one.
 */
export function createPositionFile(folder: string): PositionStore {
  const path = join(folder, FILE);
  return {
    async read() {
      try {
        return await readFile(path, "utf8");
      } catch (cause) {
        if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
        throw new SpoolBrokenError(folder, cause);
      }
    },
    async write(position) {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeDurably(`${path}.new`, position);
        await rename(`${path}.new`, path);
      } catch (cause) {
        throw new SpoolBrokenError(folder, cause);
      }
    },
  };
}

async function writeDurably(path: string, text: string): Promise<void> {
  const handle = await open(path, "w", 0o600);
  try {
    await handle.writeFile(text);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}
