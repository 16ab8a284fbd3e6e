import { CommandFailure } from "../../src/command-line/command-failure.ts";
import { readClusterName } from "../../src/command-line/cluster-name.ts";
import { withDatabase } from "../../src/embedded/with-database.ts";
import { formatInstant } from "../../src/job/model/instant.ts";
import { retentionKey } from "../../src/ports/meta-key.ts";
import { listDecoded, readRecord, writeRecord } from "../../src/ports/records/record-codec.ts";
import { retentionRecord } from "../../src/retention/retention-record.ts";
import { count } from "../../src/text/sentence.ts";
import type { PrintOptions } from "../options/query-options.ts";
import { isForPeople, printAnswer, remark } from "../output/print-answer.ts";

/** A cluster, or one of its namespaces, in a database file. */
export interface RetentionPlace {
  readonly database: string;
  readonly cluster: string;
  readonly namespace?: string;
}

/** Sets the retention of a place, or removes it. */
export async function setRetention(days: number | undefined, place: RetentionPlace): Promise<void> {
  const { database, namespace } = place;
  const key = retentionKey(readClusterName(place.cluster), namespace);
  const written = await withDatabase(database, { create: false }, async ({ meta }) => {
    const known = await readRecord(meta, retentionRecord, key);
    const value = { setAt: formatInstant(Date.now()), ...(days !== undefined && { days }) };
    return writeRecord(meta, retentionRecord, { key, value, expected: known?.version ?? 0 });
  });
  if (written.outcome === "conflict") {
    throw new CommandFailure(2, "Another process changed the retention at the same time. Try again.");
  }
  const whose = namespace === undefined ? `cluster ${place.cluster}` : `namespace ${namespace} of ${place.cluster}`;
  const what = days === undefined ? "follow the general setting" : `are kept for ${count(days, "day")} after their end`;
  remark(`The Jobs of ${whose} ${what}.`);
}

interface ListedRetention {
  readonly cluster: string;
  readonly namespace?: string;
  readonly days: number;
  readonly setAt: string;
}

export async function printRetention(options: PrintOptions & { readonly database: string }): Promise<void> {
  const items = await withDatabase(options.database, { create: false }, async ({ meta }) => {
    const found: ListedRetention[] = [];
    for await (const { key, value } of listDecoded(meta, retentionRecord, "")) {
      const [cluster = "", namespace = ""] = key.split("#");
      const { days, setAt } = value;
      if (days !== undefined) found.push({ cluster, ...(namespace !== "" && { namespace }), days, setAt });
    }
    return found;
  });
  if (items.length === 0 && isForPeople(options)) {
    return remark("No cluster and no namespace has a retention of its own: outlive serve --retention is for all.");
  }
  await printAnswer(options, {
    document: { items },
    rows: items,
    columns: [
      { header: "CLUSTER", cell: ({ cluster }) => cluster },
      { header: "NAMESPACE", cell: ({ namespace }) => namespace ?? "*" },
      { header: "DAYS", cell: ({ days }) => days },
      { header: "SET", cell: ({ setAt }) => setAt },
    ],
    name: ({ cluster, namespace }) => `retention/${cluster}/${namespace ?? "*"}`,
  });
}
