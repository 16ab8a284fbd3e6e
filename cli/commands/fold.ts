import { addTextOptions, type TextFlags, textOptionsOf } from "../../src/host/command-line/text-options.ts";
import { once } from "node:events";
import { type Command, Option } from "commander";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import { type Instant, parseInstant } from "../../src/job/model/instant.ts";
import { isOfKind } from "../../src/parents/run/run-names.ts";
import type { AddedKinds } from "../../src/parents/kinds.ts";
import { count } from "../../src/job/text/sentence.ts";
import { failForGaps } from "../output/recording-gaps-failure.ts";
import { POD_RUN_KINDS } from "../../src/kubernetes/runs/translate-run-pod.ts";
import { readClusterName } from "../../src/host/command-line/cluster-name.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { jobColumns, jobResourceName } from "../output/job-columns.ts";
import { printAnswer, remark } from "../output/print-answer.ts";
import { addExamples } from "../../src/host/command-line/add-examples.ts";
import { outputOption } from "../options/output-format.ts";
import { addPrintOptions, type PrintOptions } from "../options/query-options.ts";
import { escapeControls } from "../../src/job/text/terminal-text.ts";
import { type FoldedRecordings, foldRecordings } from "../../src/host/embedded/fold-recordings.ts";
import type { ReadingTally } from "../../src/host/embedded/recorded-facts.ts";
import { TIME_FORM, timeOption } from "../options/time-option.ts";
import { keepHeapSmall } from "../small-heap.ts";

interface FoldOptions extends PrintOptions, TextFlags {
  readonly now?: string;
  readonly cluster: string;
  readonly pods?: true;
  readonly podRuns: string;
}

export function define(command: Command): void {
  command
    .argument("<recording...>", "files with watch events and audit events of one cluster; - for standard input")
    .addOption(timeOption("--now <time>", `time of the answers (${TIME_FORM}; default: the latest in the recordings)`))
    .option("--cluster <name>", "name of the cluster in the answers", "recording")
    .option("--pods", "include the Pods of each Job")
    .addOption(
      new Option("--pod-runs <kinds>", "make runs of Pods without Jobs: kinds such as Workflow, or all")
        .env("OUTLIVE_POD_RUNS")
        .default("", "none"),
    );
  addTextOptions(command).action(fold);
  addPrintOptions(command, outputOption().default("json"));
  addExamples(command, [
    ["outlive fold watch.ndjson.gz", "print the state of every Job in a recording"],
    ["outlive fold -o wide watch.ndjson.gz", "print it as a table"],
    ["outlive fold --pods watch.ndjson audit.ndjson", "include Pods, and who deleted them according to the audit log"],
    [
      "kubectl get jobs,pods -A --watch --output-watch-events -o json | outlive fold -",
      "read from kubectl until it is interrupted",
    ],
  ]);
}

function podRunsOf({ podRuns }: FoldOptions, added: AddedKinds | undefined): ReadonlySet<string> {
  const known = [
    ...POD_RUN_KINDS,
    ...(added?.kinds ?? []).filter(({ role }) => role === "run").map(({ kind }) => kind),
  ];
  if (podRuns === "all") return new Set(known);
  const kinds = podRuns.split(",").map((kind) => kind.trim());
  const unknown = kinds.find((kind) => kind !== "" && !known.some((of) => isOfKind(of, kind)));
  if (unknown === undefined) return new Set(known.filter((of) => kinds.some((kind) => isOfKind(of, kind))));
  throw new CommandFailure(
    2,
    `Invalid --pod-runs: there is no kind "${unknown}". Give "all", or some of: ${known.join(", ")}.`,
  );
}

async function fold(names: readonly string[], options: FoldOptions): Promise<void> {
  keepHeapSmall();
  const texts = await textOptionsOf(options);
  const folded = await foldRecordings(names, {
    ...texts,
    cluster: readClusterName(options.cluster),
    now: parseInstant(options.now),
    pods: options.pods === true,
    podRuns: podRunsOf(options, texts.kinds),
  });
  const { tally, now } = folded;
  if (tally.events === 0 && tally.rejected.length === 0) {
    throw new CommandFailure(
      2,
      `No events in ${names.join(", ")}. Record some with "outlive record", or with ` +
        `"kubectl get jobs,pods -A --watch --output-watch-events -o json".`,
    );
  }
  if (options.output === "json") await print(documentOf(folded));
  else await printAll([...folded.jobs], { now, tally, options });
  remarkOn(tally);
  if (tally.events === 0) {
    throw new CommandFailure(
      2,
      `No events of a cluster could be read from ${names.join(", ")}. The lines above say why.`,
    );
  }
  failForGaps(tally);
}

/** Other formats need all answers at once, for example to compute the widths of columns. */
async function printAll(
  jobs: readonly JobAnswer[],
  { now, tally, options }: { readonly now: Instant; readonly tally: ReadingTally; readonly options: FoldOptions },
): Promise<void> {
  await printAnswer(options, {
    document: { jobs, rejected: tally.rejected },
    rows: jobs,
    columns: jobColumns(now, { cluster: false, namespace: true, expected: true }),
    name: jobResourceName,
  });
}

/** `{ "jobs": ..., "runs": ..., "rejected": ... }`, formatted like JSON.stringify with an indent of 2, in parts. */
function* documentOf({ jobs, runs, tally }: FoldedRecordings): Generator<string> {
  yield '{\n  "jobs": ';
  yield* listOf(jobs);
  yield ',\n  "runs": ';
  yield* listOf(runs);
  yield ',\n  "rejected": ';
  yield* listOf(tally.rejected);
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

/** Waits while the reader of the output is slower, so that the whole document is never in memory. */
async function print(texts: Iterable<string>): Promise<void> {
  for (const text of texts) if (!process.stdout.write(text)) await once(process.stdout, "drain");
}

function remarkOn({ rejected, rejectedBeyond }: ReadingTally): void {
  const unreadable = rejected.length + rejectedBeyond;
  if (unreadable === 0) return;
  const listed = rejectedBeyond > 0 ? ` lists the first ${rejected.length}` : " lists them";
  remark(`${count(unreadable, "line")} could not be read: "rejected"${listed}.`);
}
