import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { CommandFailure } from "../command-line/command-failure.ts";

/** The name of standard input. */
const STANDARD_INPUT = "-";
const CHUNK_BYTES = 256 * 1024;

/**
 * Opens a recording: a file, or standard input where `name` is `-`. Throws CommandFailure where it cannot be opened.
 */
export async function openRecording(name: string): Promise<AsyncIterable<Uint8Array>> {
  if (name === STANDARD_INPUT) return readBytes(name, process.stdin);
  try {
    const found = await stat(name);
    if (found.isDirectory()) throw isFolder(name);
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

/** A CommandFailure for an error of the file system; other errors unchanged. */
function unreadable(name: string, error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  const { code } = error;
  const options = { cause: error };
  if (code === "ENOENT") return new CommandFailure(2, `There is no file ${name}. Check the path.`, options);
  if (code === "EISDIR") return isFolder(name, options);
  if (code === "EACCES" || code === "EPERM") {
    return new CommandFailure(
      2,
      `Cannot read ${name}: access denied. Grant read permission, or pipe it to -.`,
      options,
    );
  }
  return new CommandFailure(
    2,
    `Cannot read recording ${name}: ${error.message}. Check the path and the disk.`,
    options,
  );
}

function isFolder(name: string, options?: ErrorOptions): CommandFailure {
  return new CommandFailure(2, `Cannot read ${name} as a recording: it is a folder. Name the files in it.`, options);
}
