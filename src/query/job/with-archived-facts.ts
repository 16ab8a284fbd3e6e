import { type HintRecord, hintKey } from "../../job/model/cluster-context.ts";
import { joinGap, joinHint } from "../../job/model/cluster-fold.ts";
import { compareText } from "../../job/model/compare-text.ts";
import { type ClusterFact, type GapRecorded, type HintFact, isHintFact } from "../../job/model/fact.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import { listRecords } from "../../ports/list-records.ts";
import type { MetaPage, MetaRange, MetaRecord, MetaStore } from "../../ports/meta.ts";
import { gapKey, ofCluster } from "../../ports/meta-key.ts";
import { gapRecord } from "../../ports/records/gap-record.ts";
import { hintRecord } from "../../ports/records/hint-record.ts";

export interface FactsAround {
  readonly cluster: ClusterName;
  readonly around: readonly ClusterFact[];
}

/** The same records, with the archived hints and gaps joined in. They expire with the Jobs that they are about. */
export function withArchivedFacts(meta: MetaStore, { cluster, around }: FactsAround): MetaStore {
  const known = new ArchivedRecords(cluster, around);
  return {
    write: (kind, key, record) => meta.write(kind, key, record),
    read: async (kind, key) => {
      const stored = await meta.read(kind, key);
      if (kind === "hints") return known.hints(key, stored);
      return kind === "gap" ? known.gap(key, stored) : stored;
    },
    list: async (kind, range) => {
      if (kind !== "hints" && kind !== "gap") return meta.list(kind, range);
      const records = new Map<string, MetaRecord>();
      for await (const stored of listRecords(meta, kind, range)) records.set(stored.key, stored);
      for (const key of known.keys(kind)) {
        const joined = kind === "hints" ? known.hints(key, records.get(key)) : known.gap(key, records.get(key));
        if (joined !== undefined && key.startsWith(range.prefix)) records.set(key, joined);
      }
      return pageOf([...records.values()], range);
    },
  };
}

class ArchivedRecords {
  readonly #hints = new Map<string, HintFact[]>();
  readonly #gaps = new Map<string, GapRecorded>();

  constructor(cluster: ClusterName, around: readonly ClusterFact[]) {
    for (const fact of around) {
      if (fact.kind === "GapRecorded") {
        const key = gapKey(cluster, fact.gapId);
        this.#gaps.set(key, joinGap(this.#gaps.get(key), fact));
      } else if (isHintFact(fact)) {
        const key = `${ofCluster(cluster)}${hintKey(fact.target)}`;
        this.#hints.set(key, [...(this.#hints.get(key) ?? []), fact]);
      }
    }
  }

  keys(kind: "hints" | "gap"): Iterable<string> {
    return (kind === "hints" ? this.#hints : this.#gaps).keys();
  }

  hints(key: string, stored: MetaRecord | undefined): MetaRecord | undefined {
    const archived = this.#hints.get(key);
    if (archived === undefined) return stored;
    const known: HintRecord = stored === undefined ? { hints: [] } : hintRecord.decode(stored);
    return { key, value: hintRecord.encode(archived.reduce(joinHint, known)), version: 0 };
  }

  gap(key: string, stored: MetaRecord | undefined): MetaRecord | undefined {
    const archived = this.#gaps.get(key);
    if (archived === undefined) return stored;
    const joined = joinGap(stored && gapRecord.decode(stored), archived);
    return { key, value: gapRecord.encode(joined), version: 0 };
  }
}

function pageOf(records: readonly MetaRecord[], { after = "", limit }: MetaRange): MetaPage {
  const sorted = records.filter(({ key }) => key > after).sort((a, b) => compareText(a.key, b.key));
  const page = sorted.slice(0, limit);
  const last = page.at(-1);
  return sorted.length > limit && last !== undefined ? { records: page, next: last.key } : { records: page };
}
