import type { ClusterName } from "../../job/model/ids.ts";
import { formatInstant, type Instant } from "../../job/model/instant.ts";
import { listRecords } from "../../ports/list-records.ts";
import { acknowledgementKey, ofCluster } from "../../ports/meta-key.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { soundAcknowledgement } from "../../ports/records/acknowledgement-record.ts";
import type { Acknowledged, AttentionEntry } from "./attention.ts";

/** Acknowledgements in force, by the entries that they are about. */
export type Acknowledgements = ReadonlyMap<string, Acknowledged>;

/** Those of one cluster, or of all. A damaged one is not in force: `outlive verify` reports it. */
export async function readAcknowledgements(
  meta: MetaStore,
  { cluster, now }: { readonly cluster?: ClusterName | undefined; readonly now: Instant },
): Promise<Acknowledgements> {
  const found = new Map<string, Acknowledged>();
  const prefix = cluster === undefined ? "" : ofCluster(cluster);
  for await (const record of listRecords(meta, "acknowledgement", { prefix })) {
    const { note, by, at, until } = soundAcknowledgement(record) ?? {};
    if (note === undefined || by === undefined || at === undefined || until === undefined || until <= now) continue;
    found.set(record.key, { by, note, at: formatInstant(at), until: formatInstant(until) });
  }
  return found;
}

/** The entry with its acknowledgement, if it has one. */
export function withAcknowledgement(entry: AttentionEntry, known: Acknowledgements): AttentionEntry {
  const acknowledged = known.get(acknowledgementKey(entry.cluster, entry.namespace, entry.id));
  return acknowledged === undefined ? entry : { ...entry, acknowledged };
}
