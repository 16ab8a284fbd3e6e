import type { ByteRange, ObjectEntry, ObjectStore } from "../../../src/ports/object-store.ts";
import { KilledError } from "../killed/killed-at.ts";

/** Objects in memory. After `writesLeft` writes, it behaves like one whose process was killed. */
export class MemoryObjects implements ObjectStore {
  readonly name = "memory";
  readonly objects: Map<string, Uint8Array>;
  writesLeft = Infinity;

  constructor(objects: ReadonlyMap<string, Uint8Array> = new Map()) {
    this.objects = new Map(objects);
  }

  get keys(): readonly string[] {
    return [...this.objects.keys()].sort();
  }

  async putIfAbsent(key: string, bytes: Uint8Array): Promise<"stored" | "exists"> {
    this.#write();
    if (this.objects.has(key)) return "exists";
    this.objects.set(key, bytes.slice());
    return "stored";
  }

  async read(key: string, range?: ByteRange): Promise<Uint8Array | undefined> {
    const bytes = this.objects.get(key);
    return range === undefined ? bytes : bytes?.slice(range.start, range.end);
  }

  async *list(prefix: string): AsyncGenerator<ObjectEntry> {
    for (const key of this.keys.filter((one) => one.startsWith(prefix))) {
      yield { key, bytes: this.objects.get(key)?.length ?? 0 };
    }
  }

  async remove(key: string): Promise<void> {
    this.#write();
    this.objects.delete(key);
  }

  #write(): void {
    this.writesLeft -= 1;
    if (this.writesLeft < 0) throw new KilledError();
  }
}
