import { listPrincipals } from "../../src/ingest/principals.ts";
import { count } from "../../src/text/sentence.ts";
import { listDecoded } from "../../src/ports/records/record-codec.ts";
import { type SetAside, setAsideRecord } from "../../src/ports/records/set-aside-record.ts";
import type { MetaStore } from "../../src/ports/meta.ts";
import { listClusters } from "../../src/query/clusters/clusters.ts";
import { humanDuration } from "../../src/text/human-duration.ts";
import { isSilent } from "../../src/job/status/silence.ts";
import type { Check } from "./check.ts";

/** Who was heard of, and when. */
export async function checkFreshness(meta: MetaStore, now: number): Promise<Check> {
  const clusters = await listClusters(meta, "everything");
  if (clusters.length === 0) {
    return {
      check: "clusters",
      result: "warning",
      detail: "No cluster is known yet: connect one, or import a recording.",
    };
  }
  const silent = clusters.filter(({ observedAt }) => observedAt !== undefined && isSilent(Date.parse(observedAt), now));
  const [first] = silent;
  if (first?.observedAt === undefined) {
    return {
      check: "clusters",
      result: "ok",
      detail: `${count(clusters.length, "cluster")} known, none of them silent.`,
    };
  }
  return {
    check: "clusters",
    result: "warning",
    detail: `${count(silent.length, "cluster")} of ${clusters.length} silent, ${first.name} for ${humanDuration(now - Date.parse(first.observedAt))}: see whether its exporter runs.`,
  };
}

/** Clusters that nobody may speak for: all that they send is set aside. */
export async function checkSenders(meta: MetaStore): Promise<Check> {
  const [clusters, principals] = await Promise.all([listClusters(meta, "everything"), listPrincipals(meta)]);
  const spokenFor = new Set<string>(principals.map(({ cluster }) => cluster));
  const mute = clusters.filter(({ name }) => !spokenFor.has(name));
  const [first] = mute;
  if (first === undefined) {
    return {
      check: "senders",
      result: "ok",
      detail: `${count(principals.length, "principal")} may speak for ${count(clusters.length, "cluster")}.`,
    };
  }
  return {
    check: "senders",
    result: "warning",
    detail: `Nobody may speak for ${mute.map(({ name }) => name).join(", ")}, unless the deployment is in open mode: "outlive clusters register ${first.name} --principal-arn ARN".`,
  };
}

/** More are not counted: whoever has so many looks at the reasons first. */
const MOST_COUNTED = 1_000;

/** Messages that wait for a person. */
export async function checkSetAside(meta: MetaStore): Promise<Check> {
  let waiting = 0;
  let newest: SetAside | undefined;
  for await (const { value: record } of listDecoded(meta, setAsideRecord, "")) {
    if (record.settledAt !== undefined) continue;
    waiting += 1;
    if (newest === undefined || record.setAsideAt > newest.setAsideAt) newest = record;
    if (waiting === MOST_COUNTED) break;
  }
  if (newest === undefined) return { check: "set aside", result: "ok", detail: "Nothing waits for a person." };
  const many =
    waiting === MOST_COUNTED
      ? `${MOST_COUNTED} messages or more were`
      : waiting === 1
        ? "1 message was"
        : `${waiting} messages were`;
  return {
    check: "set aside",
    result: "warning",
    detail: `${many} set aside, the last because: ${newest.reason} When that is mended: "outlive redrive".`,
  };
}
