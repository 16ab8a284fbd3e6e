import { createHash } from "node:crypto";
import type { Instant } from "../../job/model/instant.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { changesKey, CHANGES_BEGIN_KEY } from "../../ports/meta-key.ts";
import { changesBegin, changesRecord } from "../../ports/records/changes-record.ts";
import { readRecord, writeRecord } from "../../ports/records/record-codec.ts";
import { packSortKey } from "../../segment/pack-key.ts";
import type { JobChange } from "../../explain/answer-document.ts";
import type { AppendChanges } from "./change-announcer.ts";
import { packChanges } from "./change-bytes.ts";

/** Records are distributed over as many partitions, which a follower queries one by one. */
export const CHANGE_SHARDS = 2;
/** Changes in one record: at most 300 KB, even if a compressor finds nothing in common. */
const MOST_CHANGES = 100;
/** A record is readable within this time of its instant, or is written again. Followers wait for 15 s. */
const WRITE_MILLIS = 8_000;

/** The status changes of all Jobs, by the instant of their announcement. Followers read them (src/query/changes). */
export class ChangeFeed {
  readonly #meta: MetaStore;
  readonly #now: () => Instant;
  #hasBegun = false;

  constructor(meta: MetaStore, now: () => Instant) {
    this.#meta = meta;
    this.#now = now;
  }

  readonly append: AppendChanges = async (changes) => {
    if (!this.#hasBegun) await this.#begin();
    for (let begin = 0; begin < changes.length; begin += MOST_CHANGES) {
      await this.#write(changes.slice(begin, begin + MOST_CHANGES));
    }
  };

  /** The instant before the first record. A follower that starts earlier reads the log up to here. */
  async #begin(): Promise<void> {
    if ((await readRecord(this.#meta, changesBegin, CHANGES_BEGIN_KEY)) === undefined) {
      await writeRecord(this.#meta, changesBegin, {
        key: CHANGES_BEGIN_KEY,
        value: { since: this.#now() },
        expected: 0,
      });
    }
    this.#hasBegun = true;
  }

  async #write(changes: readonly JobChange[]): Promise<void> {
    const packed = packChanges(changes);
    const digest = createHash("sha256").update(packed).digest();
    const name = digest.toString("hex").slice(0, 16);
    for (;;) {
      const at = this.#now();
      const key = changesKey(digest.readUInt32BE(16) % CHANGE_SHARDS, packSortKey(at, name));
      // The name follows from the content, so an existing record has the same changes.
      await writeRecord(this.#meta, changesRecord, { key, value: { packed }, expected: 0 });
      if (this.#now() - at <= WRITE_MILLIS) return;
    }
  }
}
