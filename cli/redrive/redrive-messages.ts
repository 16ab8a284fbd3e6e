import { count } from "../../src/text/sentence.ts";
import { drainDeadLetters } from "../../src/ingest/drain-dead-letters.ts";
import { type Redriven, redriveSetAside } from "../../src/ingest/redrive.ts";
import { CommandFailure } from "../../src/command-line/command-failure.ts";
import { isForPeople, printAnswer, remark } from "../output/print-answer.ts";
import type { RedriveOptions } from "../options/redrive-options.ts";
import type { Column } from "../output/table.ts";

interface Row extends Redriven {
  readonly from: "dead letters" | "set aside";
}

/** Ingests dead letters and set-aside messages again. */
export async function redrive(options: RedriveOptions): Promise<void> {
  const rows = options.stack === undefined ? await redriveHere(options) : await redriveStack(options.stack, options);
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

/** The function counts what it does with dead letters; this command sees how many leave their queue. */
const NONE: Redriven = { appended: 0, duplicate: 0, conflict: 0, setAside: 0, failed: 0, notKept: 0, reasons: {} };

async function redriveStack(stack: string, { what }: RedriveOptions): Promise<readonly Row[]> {
  const { openDeployedRedrive } = await import("../deployment/deployed-redrive.ts");
  const { deadLetters, meta, ingestAgain } = await openDeployedRedrive(stack);
  const rows: Row[] = [];
  if (what !== "set-aside") {
    const { taken, left } = await drainDeadLetters(deadLetters);
    rows.push({ from: "dead letters", ...NONE, appended: taken, failed: left });
  }
  if (what !== "dead-letters") {
    rows.push({ from: "set aside", ...(await redriveSetAside(meta, ingestAgain, Date.now())) });
  }
  return rows;
}

async function redriveHere({ what, database }: RedriveOptions): Promise<readonly Row[]> {
  if (what === "dead-letters") {
    throw new CommandFailure(2, "A database file has no dead letters. Name a deployment with --stack.");
  }
  const [{ withDatabase }, { ingestHere }] = await Promise.all([
    import("../../src/embedded/with-database.ts"),
    import("./ingest-here.ts"),
  ]);
  return withDatabase(database, { create: false }, async (embedded) => [
    { from: "set aside", ...(await redriveSetAside(embedded.meta, ingestHere(embedded), Date.now())) },
  ]);
}

function printReasons(rows: readonly Row[]): void {
  for (const [reason, times] of rows.flatMap(({ reasons }) => Object.entries(reasons))) {
    remark(times === 1 ? reason : `${times} times: ${reason}`);
  }
  const notKept = rows.reduce((sum, row) => sum + row.notKept, 0);
  if (notKept > 0) remark(`Cannot ingest ${count(notKept, "message")} again: ${NOT_KEPT}`);
}

const NOT_KEPT =
  "messages of more than 200 KB are not stored, and on AWS for 90 days only. The sender can send them again.";

const COLUMNS: readonly Column<Row>[] = [
  { header: "FROM", cell: ({ from }) => from },
  { header: "INGESTED", cell: ({ appended }) => appended },
  { header: "KNOWN", cell: ({ duplicate }) => duplicate },
  { header: "SET-ASIDE", cell: ({ setAside, conflict }) => setAside + conflict },
  { header: "FAILED", cell: ({ failed }) => failed },
];
