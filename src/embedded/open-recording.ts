import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { CommandFailure } from "../command-line/command-failure.ts";

/** The name that stands for standard input. */
const STANDARD_INPUT = "-";
const CHUNK_BYTES = 256 * 1024;

/** The bytes of a recording: a file, or standard input where `name` is `-`. Throws CommandFailure where there is nothing to read, before anything is read. */
export async function openRecording(name: string): Promise<AsyncIterable<Uint8Array>> {
  if (name === STANDARD_INPUT) return readBytes(name, process.stdin);
  try {
    const found = await stat(name);
    if (found.isDirectory()) throw new CommandFailure(2, `${name} is a folder: name the recordings in it.`);
  } catch (error) {
    throw unreadable(name, error);
  }
  return readBytes(name, createReadStream(name, { highWaterMark: CHUNK_BYTES }));
}

async function* readBytes(name: string, stream: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stream) if (chunk instanceof Uint8Array) yield chunk;
  } catch (error) {
    throw unreadable(name, error);
  }
}

/** A sentence for what the file system said; other errors as they are. */
function unreadable(name: string, error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  const { code } = error;
  const said = { cause: error };
  if (code === "ENOENT") return new CommandFailure(2, `There is no file ${name}: look at its path.`, said);
  if (code === "EISDIR") return new CommandFailure(2, `${name} is a folder: name the recordings in it.`, said);
  if (code === "EACCES" || code === "EPERM") {
    return new CommandFailure(
      2,
      `${name} may not be read: ask for read permission, or pipe it in and name it -.`,
      said,
    );
  }
  return new CommandFailure(2, `${name} cannot be read: ${error.message}.`, said);
}
