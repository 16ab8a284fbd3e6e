import { count } from "../../src/job/text/sentence.ts";
import { type DeadLetterFeed, drainDeadLetters, type Drained } from "../../src/log/drain-dead-letters.ts";
import { type Redriven, redriveSetAside } from "../../src/log/redrive.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { isForPeople, printAnswer, remark } from "../output/print-answer.ts";
import { interruption } from "./interruption.ts";
import type { RedriveOptions } from "../options/redrive-options.ts";
import type { Column } from "../output/table.ts";

/**
 * `taken`: messages that were ingested again, whatever became of them. The function alone knows that of dead letters;
 * this command sees how many leave their queue. Those that are set aside again are among the set-aside messages.
 */
type Row =
  | { readonly from: "dead letters"; readonly taken: number; readonly failed: number }
  | (Redriven & { readonly from: "set aside"; readonly taken: number });

/** Ingests dead letters and set-aside messages again. */
export async function redrive(options: RedriveOptions): Promise<void> {
  const rows = options.stage === undefined ? await redriveHere(options) : await redriveStage(options.stage, options);
  await printAnswer<Row>(options, {
    document: { items: rows },
    rows,
    columns: COLUMNS,
    name: ({ from }) => from,
  });
  if (isForPeople(options)) printReasons(rows);
  if (rows.some(({ failed }) => failed > 0)) {
    throw new CommandFailure(
      1,
      "Some messages failed again and stay where they were. Solve the problems above, then run the command again.",
    );
  }
}

async function redriveStage(stage: string, { what }: RedriveOptions): Promise<readonly Row[]> {
  const { openDeployedRedrive } = await import("../deployment/deployed-redrive.ts");
  const { deadLetters, meta, ingestAgain } = await openDeployedRedrive(stage);
  const rows: Row[] = [];
  if (what !== "set-aside") {
    const { taken, left } = await drainUntilStopped(deadLetters);
    rows.push({ from: "dead letters", taken, failed: left });
  }
  if (what !== "dead-letters") rows.push(setAsideRow(await redriveSetAside(meta, ingestAgain, Date.now())));
  return rows;
}

/** Ctrl-C stops the feed before it ends the command. */
async function drainUntilStopped(feed: Omit<DeadLetterFeed, "isStopped">): Promise<Drained> {
  const { isStopped, end } = interruption(() =>
    remark("Stopping: disabling the redrive mapping. Press Ctrl-C to end."),
  );
  try {
    const drained = await drainDeadLetters({ ...feed, isStopped });
    if (!isStopped()) return drained;
    const { taken, left } = drained;
    throw new CommandFailure(
      1,
      `Stopped. ${count(taken, "dead letter")} left the queue, and ${left} are still in it. Run the command again.`,
    );
  } finally {
    end();
  }
}

function setAsideRow(redriven: Redriven): Row {
  const { appended, duplicate, conflict, setAside, failed } = redriven;
  return { from: "set aside", taken: appended + duplicate + conflict + setAside + failed, ...redriven };
}

async function redriveHere({ what, database }: RedriveOptions): Promise<readonly Row[]> {
  if (what === "dead-letters") {
    throw new CommandFailure(2, "A database file has no dead letters. Name a deployment with --stage.");
  }
  const [{ withDatabase }, { ingestHere }] = await Promise.all([
    import("../../src/host/embedded/with-database.ts"),
    import("./ingest-here.ts"),
  ]);
  return withDatabase(database, { create: false }, async (embedded) => [
    setAsideRow(await redriveSetAside(embedded.meta, ingestHere(embedded), Date.now())),
  ]);
}

function printReasons(rows: readonly Row[]): void {
  const setAside = rows.filter((row) => row.from === "set aside");
  for (const [reason, times] of setAside.flatMap(({ reasons }) => Object.entries(reasons))) {
    remark(times === 1 ? reason : `${times} times: ${reason}`);
  }
  const notKept = setAside.reduce((sum, row) => sum + row.notKept, 0);
  if (notKept > 0) remark(`Cannot ingest ${count(notKept, "message")} again: ${NOT_KEPT}`);
}

const NOT_KEPT =
  "messages of more than 200 KB are not stored, and on AWS for 90 days only. The sender can send them again.";

const COLUMNS: readonly Column<Row>[] = [
  { header: "FROM", cell: ({ from }) => from },
  { header: "TAKEN", cell: ({ taken }) => taken },
  { header: "INGESTED", cell: (row) => known(row, ({ appended }) => appended) },
  { header: "KNOWN", cell: (row) => known(row, ({ duplicate }) => duplicate) },
  { header: "SET-ASIDE", cell: (row) => known(row, ({ setAside, conflict }) => setAside + conflict) },
  { header: "FAILED", cell: ({ failed }) => failed },
];

/** Only the function knows what became of dead letters. */
function known(row: Row, cell: (row: Redriven) => number): number | string {
  return row.from === "set aside" ? cell(row) : "-";
}
