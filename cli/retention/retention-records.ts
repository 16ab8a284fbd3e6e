import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { readClusterName } from "../../src/host/command-line/cluster-name.ts";
import { formatInstant } from "../../src/job/model/instant.ts";
import { retentionKey } from "../../src/ports/meta-key.ts";
import { listDecoded, readRecord, writeRecord } from "../../src/ports/records/record-codec.ts";
import { retentionRecord } from "../../src/ports/expiry/retention-record.ts";
import { count } from "../../src/job/text/sentence.ts";
import type { PrintOptions } from "../options/query-options.ts";
import { isForPeople, printAnswer, remark } from "../output/print-answer.ts";
import {
  followChange,
  followedColumn,
  type FollowedRow,
  type Following,
  readFollowed,
  type RetentionOptions,
  type RetentionPlace,
  withRetentionStore,
} from "./retention-store.ts";

/** Sets the retention of a place, or removes it. */
export async function setRetention(days: number | undefined, place: RetentionPlace): Promise<void> {
  const { namespace } = place;
  const key = retentionKey(readClusterName(place.cluster), namespace);
  const following = await withRetentionStore(place, async ({ meta, deployed }) => {
    const known = await readRecord(meta, retentionRecord, key);
    const value = { setAt: formatInstant(Date.now()), ...(days !== undefined && { days }) };
    const written = await writeRecord(meta, retentionRecord, { key, value, expected: known?.version ?? 0 });
    if (written.outcome === "conflict") {
      throw new CommandFailure(2, "Another process changed the retention at the same time. Try again.");
    }
    return deployed && followChange(deployed, { kind: "retention", key });
  });
  const whose = namespace === undefined ? `cluster ${place.cluster}` : `namespace ${namespace} of ${place.cluster}`;
  const what = days === undefined ? "follow the general setting" : `are kept for ${count(days, "day")} after their end`;
  remark(`The Jobs of ${whose} ${what}.`);
  if (following !== undefined) remark(followingText(following));
}

function followingText({ jobs, ...following }: Following): string {
  if (following.outcome === "followed") return `${count(jobs, "stored Job")} ${jobs === 1 ? "follows" : "follow"} it.`;
  const { reason } = following;
  return (
    `Stored Jobs do not follow it yet (${count(jobs, "Job")} visited). The retain function continues every 15 ` +
    `minutes; see "outlive retention list".${reason === undefined ? "" : ` It could not run now: ${reason}`}`
  );
}

interface ListedRetention extends FollowedRow {
  readonly cluster: string;
  readonly namespace?: string;
  readonly days: number;
  readonly setAt: string;
}

export async function printRetention(options: PrintOptions & RetentionOptions): Promise<void> {
  const items = await withRetentionStore(options, async (store) => {
    const found: ListedRetention[] = [];
    const followedOf = await readFollowed(store, "retention");
    for await (const { key, value } of listDecoded(store.meta, retentionRecord, "")) {
      const [cluster = "", namespace = ""] = key.split("#");
      const { days, setAt } = value;
      const listed = { cluster, ...(namespace !== "" && { namespace }), setAt, ...followedOf(key) };
      if (days !== undefined) found.push({ ...listed, days });
    }
    return found;
  });
  if (items.length === 0 && isForPeople(options)) {
    const setting = options.stage === undefined ? "outlive serve --retention" : "the setting retentionDays";
    return remark(`No cluster and no namespace has a retention of its own: ${setting} is for all.`);
  }
  await printAnswer(options, {
    document: { items },
    rows: items,
    columns: [
      { header: "CLUSTER", cell: ({ cluster }) => cluster },
      { header: "NAMESPACE", cell: ({ namespace }) => namespace ?? "*" },
      { header: "DAYS", cell: ({ days }) => days },
      { header: "SET", cell: ({ setAt }) => setAt },
      ...followedColumn(options),
    ],
    name: ({ cluster, namespace }) => `retention/${cluster}/${namespace ?? "*"}`,
  });
}
