import type { ErasureCounts, ErasureRecord } from "../../src/log/erasure/erasure-record.ts";
import type { DroppedMessage } from "../../src/log/erasure/command/erase-set-aside.ts";
import type { ErasureTarget } from "../../src/log/erasure/erasure-target.ts";
import { listErasures } from "../../src/log/erasure/stored-erasures.ts";
import { formatInstant } from "../../src/job/model/instant.ts";
import { count } from "../../src/job/text/sentence.ts";
import { isForPeople, printAnswer, remark } from "../output/print-answer.ts";
import { describe, type EraseFlags } from "./erase-flags.ts";
import { withErasures } from "./erased-stage.ts";

/** An erasure as it is shown: without its salt and hashes. */
interface ShownErasure {
  readonly id: string;
  readonly level: ErasureRecord["level"];
  readonly cluster: string;
  readonly at: string;
  readonly by: string;
  readonly reason: string;
  readonly stage: ErasureRecord["stage"];
  readonly finishedAt?: string;
  readonly counts: ErasureCounts;
}

function shown({ id, level, cluster, at, by, reason, stage, counts, finishedAt }: ErasureRecord): ShownErasure {
  const finished = finishedAt === undefined ? {} : { finishedAt: formatInstant(finishedAt) };
  return { id, level, cluster, at: formatInstant(at), by, reason, stage, ...finished, counts };
}

export async function printErasures(options: EraseFlags): Promise<void> {
  await withErasures(options, async (meta) => {
    const items = (await listErasures(meta)).map(({ record }) => shown(record));
    if (items.length === 0 && isForPeople(options)) {
      return remark(`Nothing was erased from this ${options.stage === undefined ? "database" : "stage"}.`);
    }
    await printRows(options, { items }, items);
  });
}

/** Prints an erasure, and the messages that it dropped because they could not be read. */
export async function printRecord(
  options: EraseFlags,
  record: ErasureRecord,
  dropped: readonly DroppedMessage[],
): Promise<void> {
  const droppedMessages = dropped.map((one) => ({ ...one, setAsideAt: formatInstant(one.setAsideAt) }));
  await printRows(options, { ...shown(record), droppedMessages }, [shown(record)]);
  if (!isForPeople(options)) return;
  for (const { key, reason, setAsideAt } of droppedMessages) {
    remark(`Dropped message ${key}, which was set aside at ${setAsideAt} and may have had the data: ${reason}`);
  }
  remark("Delete what has left the database: backups, exported answers and evidence files.");
}

async function printRows(options: EraseFlags, document: unknown, rows: readonly ShownErasure[]): Promise<void> {
  await printAnswer(options, {
    document,
    rows,
    columns: [
      { header: "ERASED", cell: ({ at }) => at },
      { header: "CLUSTER", cell: ({ cluster }) => cluster },
      { header: "LEVEL", cell: ({ level }) => level },
      { header: "STAGE", cell: ({ stage }) => stage },
      { header: "JOBS", cell: ({ counts }) => counts.jobs },
      { header: "PODS", cell: ({ counts }) => counts.pods },
      { header: "FACTS", cell: ({ counts }) => counts.facts },
      { header: "OBJECTS", cell: ({ counts }) => counts.objects },
      { header: "BY", cell: ({ by }) => by },
      { header: "REASON", cell: ({ reason }) => reason },
      { header: "ID", cell: ({ id }) => id },
    ],
    name: ({ id }) => `erasure/${id}`,
  });
}

/** What an erasure would remove. */
export async function printPlan(options: EraseFlags, target: ErasureTarget, counts: ErasureCounts): Promise<void> {
  if (isForPeople(options)) {
    const { jobs, pods, facts, segments, records, objects } = counts;
    const states = Object.entries(counts.states).map(([state, number]) => `${number} ${state}`);
    return remark(
      `Would erase ${describe(target)}: ${count(jobs, "Job")}${states.length > 0 ? ` (${states.join(", ")})` : ""}, ` +
        `${count(pods, "Pod")}, ${count(facts, "fact")} in ${count(segments, "segment")}, ` +
        `${count(records, "record")}, ${count(objects, "object")} of the archive. Nothing was changed.`,
    );
  }
  await printAnswer(options, { document: { counts }, rows: [counts], columns: [], name: () => "erasure/planned" });
}
