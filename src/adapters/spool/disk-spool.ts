import { mkdir, open, readdir, readFile, truncate, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { Spool, SpooledSegment } from "../../ports/spool.ts";
import { SpoolBrokenError, decodeRecord, encodeRecord } from "./spool-record.ts";

export interface DiskSpoolOptions {
  readonly folder: string;
  /** The most bytes on disk. */
  readonly maxBytes: number;
  /** Called for unreadable data: a partial record of a killed process, or a damaged disk. */
  readonly onDamaged: (file: string, bytes: number) => void;
}

/** The size of a file. A file is deleted when all its segments were sent, so smaller files free the disk earlier. */
const FILE_BYTES = 8 * 1024 * 1024;
const FILE_NAME = /^(\d{10})\.spool$/;

interface RecordLocation {
  readonly file: number;
  readonly at: number;
  readonly length: number;
  readonly position?: string;
}

/**
 * Segments in files of one folder, in order. An append is durable when it resolves (fsync of the file, and of the
 * folder for a new file). After a crash, dropped segments return if their file still exists; they are sent again,
 * harmlessly.
 */
export class DiskSpool implements Spool {
  readonly #options: DiskSpoolOptions;
  readonly #records: RecordLocation[] = [];
  #bytes = 0;
  /** The number and length of the current file. */
  #file = 1;
  #fileBytes = 0;

  private constructor(options: DiskSpoolOptions) {
    this.#options = options;
  }

  /**
   * Opens or creates the folder, and finds the segments of an earlier process. Throws {@link SpoolBrokenError}
   * where it is unusable.
   */
  static async open(options: DiskSpoolOptions): Promise<DiskSpool> {
    const spool = new DiskSpool(options);
    await spool.#guarded(async () => {
      await mkdir(options.folder, { recursive: true, mode: 0o700 });
      await spool.#recover();
    });
    return spool;
  }

  get size(): number {
    return this.#records.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get lastPosition(): string | undefined {
    return this.#records.findLast(({ position }) => position !== undefined)?.position;
  }

  async append(segments: readonly SpooledSegment[]): Promise<"appended" | "full"> {
    const records = segments.map(encodeRecord);
    const length = records.reduce((sum, record) => sum + record.length, 0);
    if (this.#bytes + length > this.#options.maxBytes) return "full";
    return this.#guarded(async () => {
      if (this.#fileBytes >= FILE_BYTES) this.#beginFile();
      if ((await this.#write(Buffer.concat(records))) === "full") return "full";
      records.forEach((record, at) => this.#note(this.#file, record.length, segments[at]?.position));
      return "appended";
    });
  }

  peek(limit: number): Promise<readonly SpooledSegment[]> {
    return this.#guarded(async () => {
      const segments: SpooledSegment[] = [];
      for (const record of this.#records.slice(0, limit)) segments.push(await this.#read(record));
      return segments;
    });
  }

  drop(count: number): Promise<void> {
    return this.#guarded(async () => {
      const dropped = this.#records.splice(0, count);
      for (const { length } of dropped) this.#bytes -= length;
      const files = new Set(dropped.map(({ file }) => file));
      const kept = new Set(this.#records.map(({ file }) => file));
      for (const file of files) if (!kept.has(file)) await this.#remove(file);
    });
  }

  async #recover(): Promise<void> {
    const names = (await readdir(this.#options.folder)).filter((name) => FILE_NAME.test(name)).sort();
    for (const name of names) {
      this.#file = Number(name.slice(0, 10));
      this.#fileBytes = 0;
      await this.#recoverFile(join(this.#options.folder, name));
    }
    // New segments go into a new file, because the last one may be damaged.
    if (names.length > 0) this.#beginFile();
  }

  async #recoverFile(path: string): Promise<void> {
    const content = await readFile(path);
    for (let record = decodeRecord(content, 0); record !== undefined; record = decodeRecord(content, record.end)) {
      this.#note(this.#file, record.end - this.#fileBytes, record.segment.position);
    }
    if (this.#fileBytes === content.length) return;
    this.#options.onDamaged(path, content.length - this.#fileBytes);
    await truncate(path, this.#fileBytes);
  }

  #note(file: number, length: number, position: string | undefined): void {
    this.#records.push({ file, at: this.#fileBytes, length, ...(position !== undefined && { position }) });
    this.#fileBytes += length;
    this.#bytes += length;
  }

  #beginFile(): void {
    this.#file += 1;
    this.#fileBytes = 0;
  }

  /** If the disk becomes full, a part of `content` is in the file. The next write overwrites it. */
  async #write(content: Buffer): Promise<"written" | "full"> {
    const handle = await open(this.#path(this.#file), this.#fileBytes === 0 ? "w" : "r+", 0o600);
    try {
      await handle.write(content, 0, content.length, this.#fileBytes);
      await handle.datasync();
    } catch (cause) {
      if (isDiskFull(cause)) return "full";
      throw cause;
    } finally {
      await handle.close();
    }
    if (this.#fileBytes === 0) await this.#syncFolder();
    return "written";
  }

  async #syncFolder(): Promise<void> {
    const handle = await open(this.#options.folder, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  async #read({ file, at, length }: RecordLocation): Promise<SpooledSegment> {
    const handle = await open(this.#path(file), "r");
    try {
      const content = Buffer.alloc(length);
      await handle.read(content, 0, length, at);
      const record = decodeRecord(content, 0);
      if (record === undefined) throw new Error(`${this.#path(file)} is damaged: the record at byte ${at} has changed`);
      return record.segment;
    } finally {
      await handle.close();
    }
  }

  async #remove(file: number): Promise<void> {
    await unlink(this.#path(file));
    if (file === this.#file) this.#beginFile();
  }

  #path(file: number): string {
    return join(this.#options.folder, `${String(file).padStart(10, "0")}.spool`);
  }

  /** Turns every file system error into a SpoolBrokenError. */
  async #guarded<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (cause) {
      throw new SpoolBrokenError(this.#options.folder, cause);
    }
  }
}

function isDiskFull(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && (cause.code === "ENOSPC" || cause.code === "EDQUOT");
}
