import { addTextOptions, type TextFlags, textOptionsOf } from "../../src/command-line/text-options.ts";
import { once } from "node:events";
import type { Command } from "commander";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import { type Instant, parseInstant } from "../../src/job/model/instant.ts";
import { count } from "../../src/text/sentence.ts";
import { answersOf, foldFacts } from "../../src/query/job/fold-facts.ts";
import { readClusterName } from "../../src/command-line/cluster-name.ts";
import { CommandFailure } from "../../src/command-line/command-failure.ts";
import { jobColumns, jobResourceName } from "../output/job-columns.ts";
import { printAnswer, remark } from "../output/print-answer.ts";
import { addExamples } from "../../src/command-line/add-examples.ts";
import { addPrintOptions, outputOption, type PrintOptions } from "../options/query-options.ts";
import { escapeControls } from "../../src/text/terminal-text.ts";
import { type ReadingTally, recordedFacts, type Rejected } from "../../src/embedded/recorded-facts.ts";
import { keepHeapSmall } from "../small-heap.ts";

interface FoldOptions extends PrintOptions, TextFlags {
  readonly now?: string;
  readonly cluster: string;
  readonly pods?: true;
}

export function define(command: Command): void {
  command
    .argument("<recording...>", "watch events and audit events of one cluster, in files; - is standard input")
    .option("--now <instant>", "the time to answer for (RFC 3339); the latest in the recordings unless said")
    .option("--cluster <name>", "what the answers call the cluster", "recording")
    .option("--pods", "with every attempt of every Job");
  addTextOptions(command).action(fold);
  addPrintOptions(command, outputOption().default("json"));
  addExamples(command, [
    ["outlive fold watch.ndjson.gz", "what became of every Job in a recording"],
    ["outlive fold -o wide watch.ndjson.gz", "the same as a table"],
    ["outlive fold --pods watch.ndjson audit.ndjson", "with attempts, and who deleted them by the audit log"],
    [
      "kubectl get jobs,pods -A --watch --output-watch-events -o json | outlive fold -",
      "from kubectl, until it is interrupted",
    ],
  ]);
}

async function fold(names: readonly string[], options: FoldOptions): Promise<void> {
  keepHeapSmall();
  const cluster = readClusterName(options.cluster);
  const asked = nowOf(options);
  const tally: ReadingTally = { events: 0, rejected: [], rejectedBeyond: 0 };
  const folded = await foldFacts(recordedFacts(names, tally, textOptionsOf(options)));
  if (tally.events === 0 && tally.rejected.length === 0) {
    throw new CommandFailure(
      2,
      `${names.join(", ")}: nothing is in it. Write what "kubectl get jobs,pods -A --watch --output-watch-events -o json" prints into a file and name it.`,
    );
  }
  const now = asked ?? folded.latestAt;
  const answers = answersOf(folded, { cluster, now, pods: options.pods === true });
  if (options.output === "json") await print(documentOf(answers, tally.rejected));
  else await printAll([...answers], now, tally, options);
  remarkOn(tally);
  if (tally.events === 0) {
    throw new CommandFailure(2, `${names.join(", ")}: nothing in it could be read as events of a cluster.`);
  }
}

/** The other formats need all answers at once: YAML to be written, tables for the width of their columns. */
async function printAll(
  jobs: readonly JobAnswer[],
  now: Instant,
  tally: ReadingTally,
  options: FoldOptions,
): Promise<void> {
  await printAnswer(options, {
    document: { jobs, rejected: tally.rejected },
    rows: jobs,
    columns: jobColumns(now, { cluster: false, namespace: true }),
    name: jobResourceName,
  });
}

function nowOf({ now }: FoldOptions): number | undefined {
  const instant = parseInstant(now);
  if (now !== undefined && instant === undefined) {
    throw new CommandFailure(2, `"${now}" is no time: write it as 2026-01-31T08:00:00Z.`);
  }
  return instant;
}

/** `{ "jobs": [...], "rejected": [...] }` as JSON.stringify with an indent of 2 would print it, one answer at a time. */
function* documentOf(answers: Iterable<unknown>, rejected: readonly Rejected[]): Generator<string> {
  yield '{\n  "jobs": ';
  yield* listOf(answers);
  yield ',\n  "rejected": ';
  yield* listOf(rejected);
  yield "\n}\n";
}

function* listOf(items: Iterable<unknown>): Generator<string> {
  let isEmpty = true;
  for (const item of items) {
    const text = JSON.stringify(item, undefined, 2).replaceAll("\n", "\n    ");
    yield `${isEmpty ? "[" : ","}\n    ${escapeControls(text)}`;
    isEmpty = false;
  }
  yield isEmpty ? "[]" : "\n  ]";
}

/** Waits where the reader is slower than the fold, so that the document is never held as a whole. */
async function print(texts: Iterable<string>): Promise<void> {
  for (const text of texts) if (!process.stdout.write(text)) await once(process.stdout, "drain");
}

function remarkOn({ rejected, rejectedBeyond }: ReadingTally): void {
  const unreadable = rejected.length + rejectedBeyond;
  if (unreadable === 0) return;
  const unlisted = rejectedBeyond > 0 ? `, of which the first ${rejected.length} are listed` : "";
  remark(`${count(unreadable, "place")} could not be read${unlisted}: see "rejected".`);
}
