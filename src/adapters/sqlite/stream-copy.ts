import { statfsSync, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { DatabaseCopy } from "../../ports/files/database-copy.ts";
import { copyUnchecked, removeDatabase } from "./backup.ts";
import type { Database } from "./database.ts";

/** What must stay free beside a copy, for the writes in the meantime: this share of its size, and these bytes. */
const SPARE = 0.25;
const SPARE_BYTES = 4 * 1024 ** 2;
const SLICE_BYTES = 256 * 1024;

/**
 * A copy of a database file as a stream of bytes. It needs room beside the database, so that it works where only that
 * folder can be written. Its file has no name while it is read: a process that is killed leaves none behind.
 */
export async function streamCopy(database: Database): Promise<DatabaseCopy> {
  const { path } = database;
  const copied = `${path}.copy`;
  // Of a copy that was interrupted.
  removeDatabase(copied);
  const neededBytes = Math.ceil(statSync(path).size * (1 + SPARE)) + SPARE_BYTES;
  const { bavail, bsize } = statfsSync(path);
  if (bavail * bsize < neededBytes) return { outcome: "noSpace", neededBytes, freeBytes: bavail * bsize };
  try {
    await copyUnchecked(database, copied);
    const file = await open(copied, "r");
    const { size: bytes } = await file.stat();
    return { outcome: "copied", bytes, stream: streamOf(file) };
  } finally {
    removeDatabase(copied);
  }
}

/** The bytes of the file, which is closed at the end. */
function streamOf(file: FileHandle): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(SLICE_BYTES), 0, SLICE_BYTES);
        if (bytesRead > 0) return controller.enqueue(buffer.subarray(0, bytesRead));
        controller.close();
        await file.close();
      },
      cancel: () => file.close(),
    },
    { highWaterMark: 0 },
  );
}
