import type {
  MetaKind,
  MetaPage,
  MetaRange,
  MetaRecord,
  MetaStore,
  MetaWrite,
  MetaWriteOutcome,
} from "../../../src/ports/meta.ts";

/** Records in memory. */
export class MemoryMetaStore implements MetaStore {
  readonly #records = new Map<string, MetaRecord>();

  async read(kind: MetaKind, key: string): Promise<MetaRecord | undefined> {
    return this.#records.get(`${kind}|${key}`);
  }

  async write(kind: MetaKind, key: string, { value, expected }: MetaWrite): Promise<MetaWriteOutcome> {
    if ((this.#records.get(`${kind}|${key}`)?.version ?? 0) !== expected) return { outcome: "conflict" };
    this.#records.set(`${kind}|${key}`, { key, value, version: expected + 1 });
    return { outcome: "written", version: expected + 1 };
  }

  remove(kind: MetaKind, key: string): void {
    this.#records.delete(`${kind}|${key}`);
  }

  /** All records without their versions, as texts that are equal for equal records. */
  contents(): readonly string[] {
    return [...this.#records].map(([name, { value }]) => `${name} ${value}`).sort();
  }

  async list(kind: MetaKind, { prefix, after, before, limit }: MetaRange): Promise<MetaPage> {
    const records = [...this.#records]
      .filter(([name, { key }]) => name === `${kind}|${key}` && key.startsWith(prefix))
      .map(([, record]) => record)
      .filter(({ key }) => after === undefined || Buffer.compare(Buffer.from(key), Buffer.from(after)) > 0)
      .filter(({ key }) => after === undefined || before === undefined || key < before)
      .sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
    const page = records.slice(0, limit);
    const last = page.at(-1);
    return records.length > limit && last !== undefined ? { records: page, next: last.key } : { records: page };
  }
}

/** Records in memory. Each read is one request to DynamoDB. */
export class CountedMetaStore extends MemoryMetaStore {
  #read: MetaKind[] = [];

  /** The kinds that were read since the last call, except for the notice of unfinished commands, which is cached. */
  takeReads(): readonly MetaKind[] {
    const read = this.#read.filter((kind) => kind !== "position");
    this.#read = [];
    return read;
  }

  override async read(kind: MetaKind, key: string): Promise<MetaRecord | undefined> {
    this.#read.push(kind);
    return super.read(kind, key);
  }

  override async list(kind: MetaKind, range: MetaRange): Promise<MetaPage> {
    this.#read.push(kind);
    return super.list(kind, range);
  }
}
