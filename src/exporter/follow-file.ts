import { type FileHandle, open, stat } from "node:fs/promises";

export interface FollowOptions {
  readonly path: string;
  readonly onLine: (line: string) => void;
  /** Whether more may be read now. */
  readonly hasRoom: () => boolean;
}

const CHUNK_BYTES = 256 * 1024;
/** A line that is longer is passed over: the API server cuts audit events to 100 KiB where it is asked to (`--audit-log-truncate-enabled`). */
const MAX_LINE_BYTES = 2 * 1024 * 1024;

/**
 * The lines of a file that grows, and of the one that takes its place: the API server renames `audit.log` and begins a new one (`--audit-log-maxsize`).
 * Begins with what the file holds; what was sent before a restart is sent again, which changes nothing.
 */
export class FollowedFile {
  readonly #options: FollowOptions;
  readonly #chunk = Buffer.alloc(CHUNK_BYTES);
  #handle: FileHandle | undefined;
  #at = 0;
  #rest: Buffer = Buffer.alloc(0);
  #skips = false;

  constructor(options: FollowOptions) {
    this.#options = options;
  }

  /** Reads what has come since the last time. Resolves with whether the file is there. */
  async read(): Promise<boolean> {
    this.#handle ??= await openIfThere(this.#options.path);
    if (this.#handle === undefined) return false;
    await this.#readOn(this.#handle);
    if (await this.#isReplaced(this.#handle)) await this.close();
    return true;
  }

  async close(): Promise<void> {
    await this.#handle?.close();
    this.#handle = undefined;
    this.#at = 0;
    this.#rest = Buffer.alloc(0);
  }

  async #readOn(handle: FileHandle): Promise<void> {
    while (this.#options.hasRoom()) {
      const { bytesRead } = await handle.read(this.#chunk, 0, CHUNK_BYTES, this.#at);
      if (bytesRead === 0) return;
      this.#at += bytesRead;
      this.#split(Buffer.concat([this.#rest, this.#chunk.subarray(0, bytesRead)]));
    }
  }

  #split(bytes: Buffer): void {
    let begin = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, begin)) {
      if (!this.#skips && end > begin) this.#options.onLine(bytes.toString("utf8", begin, end));
      this.#skips = false;
      begin = end + 1;
    }
    this.#rest = Buffer.from(bytes.subarray(begin));
    if (this.#rest.length <= MAX_LINE_BYTES) return;
    this.#skips = true;
    this.#rest = Buffer.alloc(0);
  }

  /** Another file has the name now, or this one was cut (`copytruncate`); and all of it was read. */
  async #isReplaced(handle: FileHandle): Promise<boolean> {
    const own = await handle.stat();
    if (own.size > this.#at) return false;
    if (own.size < this.#at) return true;
    try {
      const named = await stat(this.#options.path);
      return named.ino !== own.ino || named.dev !== own.dev;
    } catch (cause) {
      if (isMissing(cause)) return false;
      throw cause;
    }
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, "r");
  } catch (cause) {
    if (isMissing(cause)) return undefined;
    throw cause;
  }
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "ENOENT";
}
