import { parseObject } from "../../kubernetes/json/object-scanner.ts";
import type { Journal } from "../../ports/runtime/journal.ts";
import { errorMessage } from "../../job/text/error-message.ts";
import type { AuditSource } from "./audit-source.ts";
import { type FileHandle, open, stat } from "node:fs/promises";

/** The polling interval. A late hint does no harm. */
const POLL_MILLIS = 1000;

/** Sends the audit events of a log file, for API servers that write one where this process can read it. */
export function followAuditLog(
  path: string,
  source: Pick<AuditSource, "hasRoom" | "take">,
  journal: Journal,
): { readonly stop: () => void } {
  const file = new FollowedFile({
    path,
    onLine: (line) => source.take(parseObject(line)),
    hasRoom: () => source.hasRoom,
  });
  const poll = pollOf(file, path, journal);
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const follow = async (): Promise<void> => {
    await poll();
    if (isStopped) await file.close();
    else timer = setTimeout(() => void follow(), POLL_MILLIS);
  };
  void follow();
  return {
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** Reads new lines, and logs whether the file exists whenever that changes. */
function pollOf(file: FollowedFile, path: string, journal: Journal): () => Promise<void> {
  let existed: boolean | undefined;
  return async () => {
    try {
      const exists = await file.read();
      if (exists && existed !== true) journal.info("Following the audit log.", { path });
      if (!exists && existed !== false) journal.warn(missing(path));
      existed = exists;
    } catch (cause) {
      journal.warn(`Cannot read the audit log: ${errorMessage(cause)}. The exporter retries every second.`);
    }
  };
}

function missing(path: string): string {
  return (
    `The audit log ${path} does not exist. The exporter checks ` +
    "every second. Mount it where the API server writes it."
  );
}

export interface FollowOptions {
  readonly path: string;
  readonly onLine: (line: string) => void;
  /** Whether the reader may continue now. */
  readonly hasRoom: () => boolean;
}

const CHUNK_BYTES = 256 * 1024;
/**
 * Longer lines are skipped. The API server truncates audit events to 100 KiB if `--audit-log-truncate-enabled` is
 * set.
 */
const MAX_LINE_BYTES = 2 * 1024 * 1024;

/**
 * Reads the lines of a growing file, and of the file that replaces it: the API server renames `audit.log` and starts a
 * new one (`--audit-log-maxsize`). Starts at the beginning of the file, so a restart repeats lines, which is harmless.
 */
export class FollowedFile {
  readonly #options: FollowOptions;
  readonly #chunk = Buffer.alloc(CHUNK_BYTES);
  #handle: FileHandle | undefined;
  #at = 0;
  #rest: Buffer = Buffer.alloc(0);
  #skipsLine = false;

  constructor(options: FollowOptions) {
    this.#options = options;
  }

  /** Reads the lines since the last call. Resolves to whether the file exists. */
  async read(): Promise<boolean> {
    this.#handle ??= await openIfPresent(this.#options.path);
    if (this.#handle === undefined) return false;
    await this.#readNew(this.#handle);
    if (await this.#isReplaced(this.#handle)) await this.close();
    return true;
  }

  async close(): Promise<void> {
    await this.#handle?.close();
    this.#handle = undefined;
    this.#at = 0;
    this.#rest = Buffer.alloc(0);
  }

  async #readNew(handle: FileHandle): Promise<void> {
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
      if (!this.#skipsLine && end > begin) this.#options.onLine(bytes.toString("utf8", begin, end));
      this.#skipsLine = false;
      begin = end + 1;
    }
    this.#rest = Buffer.from(bytes.subarray(begin));
    if (this.#rest.length <= MAX_LINE_BYTES) return;
    this.#skipsLine = true;
    this.#rest = Buffer.alloc(0);
  }

  /**
   * Whether the file was read to its end and was then replaced by another file of its name, or truncated
   * (`copytruncate`).
   */
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

async function openIfPresent(path: string): Promise<FileHandle | undefined> {
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
