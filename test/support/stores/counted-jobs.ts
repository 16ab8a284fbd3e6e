import { CountTable } from "../../../src/count/count-table.ts";
import type { CountCell, CountedHours } from "../../../src/ports/sums/job-sums.ts";
import { shareOf } from "../../../src/count/job-share.ts";
import { readCounts } from "../../../src/count/read-counts.ts";
import { packTable } from "../../../src/count/table-text.ts";
import { type ClusterName, decodeJobUid } from "../../../src/job/model/ids.ts";
import { EARLIEST, LATEST } from "../../../src/job/model/instant.ts";
import type { CountPorts } from "../../../src/count/count-jobs.ts";
import type { StoredJob } from "../../../src/ports/job-row.ts";

const ALL: CountedHours = { from: EARLIEST, to: Math.floor(LATEST / 3_600_000) * 3_600_000, by: "owner" };

/** The counts of a cluster as text, equal for equal counts. */
export async function countsOf(
  { meta, projection }: Pick<CountPorts, "meta" | "projection">,
  cluster: ClusterName,
  hours: Partial<CountedHours> = {},
): Promise<string> {
  const table = new CountTable();
  for await (const cell of readCounts({ meta, projection, cluster }, { ...ALL, ...hours })) table.add(cell);
  return readable(table);
}

/** The same for the Jobs of a store in memory, each counted now. */
export function recountOf(
  states: ReadonlyMap<string, StoredJob>,
  cluster: ClusterName,
  { from = EARLIEST, to = LATEST, by = "owner" }: Partial<CountedHours> = {},
): string {
  const table = new CountTable();
  for (const [id, stored] of states) {
    const jobUid = decodeJobUid(id.slice(id.indexOf("|") + 1));
    const share = jobUid && id.startsWith(`${cluster}|`) ? shareOf(jobUid, stored) : undefined;
    if (share === undefined || share.hour < from || share.hour >= to) continue;
    table.add(groupedAs(by, share.hour, share.cell));
  }
  return readable(table);
}

function groupedAs(by: CountedHours["by"], hour: number, cell: CountCell): CountCell {
  switch (by) {
    case "owner":
      return cell;
    case "namespace":
      return { ...cell, group: "" };
    case "hour":
      return { ...cell, namespace: "", group: String(hour) };
  }
}

/** The packed table, and its Jobs for people. */
function readable(table: CountTable): string {
  const jobs = table
    .cells()
    .map(({ namespace, group, state, jobs: count }) => `${namespace} ${group} ${state} ${count}`);
  return [packTable(table), ...jobs].join("\n");
}
