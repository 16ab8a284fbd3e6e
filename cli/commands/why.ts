import type { Command } from "commander";
import { type ApiClient, getJson } from "../../src/host/client/api-client.ts";
import { asArgument } from "../../src/host/command-line/as-argument.ts";
import { jobResourceName } from "../output/job-columns.ts";
import { runResourceName } from "../output/run-columns.ts";
import { type PathOf, withJob, withTarget } from "../query/with-job.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { TIME_FORM, timeOption } from "../options/time-option.ts";
import { withClient } from "../query/with-client.ts";
import { paintFor } from "../output/paint.ts";
import { isForPeople, printAnswer } from "../output/print-answer.ts";
import { type LogLinksFlag, logLinksOption } from "../options/log-links-option.ts";
import { addExamples } from "../../src/host/command-line/add-examples.ts";
import {
  addJobLocationOptions,
  addQueryOptions,
  archiveOption,
  type JobLocationOptions,
  type PrintOptions,
  type SourceOptions,
} from "../options/query-options.ts";
import { readSpan } from "../options/read-span.ts";
import { formatWhy, type WhyAnswer } from "../output/why-text.ts";

interface WhyOptions extends SourceOptions, PrintOptions, JobLocationOptions, LogLinksFlag {
  readonly uid?: string;
  readonly asOf?: string;
  readonly phantomAfter?: number;
  readonly export?: string;
}

export function define(command: Command): void {
  command
    .argument("<job>", "NAME or job/NAME, or a run: jobset/NAME")
    .option("--uid <uid>", "Job of this name with this uid (default: the newest)")
    .addOption(timeOption("--as-of <time>", `explain what was known at this time (${TIME_FORM})`))
    .option(
      "--phantom-after <span>",
      "report Pods as possibly phantom-running after this time without a change, such as 30m",
      asArgument(readSpan),
    )
    .option("--export <file>", "write the archived evidence to a file, which `outlive archive verify` checks");
  const placed = addJobLocationOptions(command.addOption(logLinksOption()).addOption(archiveOption()));
  addQueryOptions(placed, { csv: "An explanation is no table. Use json, yaml, jsonpath or custom-columns." }).action(
    async (argument: string, options: WhyOptions) =>
      withClient(options, async (api) => {
        if (options.export !== undefined) return exportEvidence(api, argument, options);
        await printWhy(options, await readWhy(api, argument, options));
      }),
  );
  addExamples(command, [
    ["outlive why job/report -n batch", "explain the verdict: a sentence, its evidence and how to fix it"],
    ["outlive why jobset/train -n ml", "explain a run: what decided it, and what each restart cost"],
    ["outlive why report -n batch --as-of 2025-01-31T08:00:00Z", "explain what was known at that time"],
    ["outlive why report -n batch --phantom-after 30m", "also report Pods without a change for 30 minutes"],
    ["outlive why job/report -n batch --log-links logs.yaml", "also link to the logs of its Pods"],
    ["outlive why report -n batch -o json", "print the explanation for a program"],
    ["outlive why report -n batch --archive ./archive --export report.json", "write its evidence for an auditor"],
  ]);
}

async function readWhy(api: ApiClient, argument: string, options: WhyOptions): Promise<WhyAnswer> {
  const { uid, asOf, phantomAfter } = options;
  const query = { uid, asOf, phantomAfterSeconds: secondsOf(phantomAfter) };
  const job = (pathOf: PathOf) => getJson<WhyAnswer>(api, pathOf("/why"), query);
  const run = (pathOf: PathOf) => {
    const option = asOf !== undefined ? "--as-of" : phantomAfter !== undefined ? "--phantom-after" : undefined;
    if (option !== undefined) throw new CommandFailure(2, `${option} is for Jobs, and ${argument} is a run.`);
    return getJson<WhyAnswer>(api, pathOf("/why"), { uid });
  };
  return withTarget({ api, argument, options }, { job, run });
}

async function exportEvidence(api: ApiClient, argument: string, options: WhyOptions): Promise<void> {
  const { writeEvidence } = await import("../archive/write-evidence.ts");
  const read = (pathOf: (part: string) => string) => getJson<unknown>(api, pathOf("/evidence"), { uid: options.uid });
  await writeEvidence(await withJob({ api, argument, options }, read), options.export ?? "");
}

/** The API takes whole seconds, at least one. */
function secondsOf(span: number | undefined): number | undefined {
  return span === undefined ? undefined : Math.max(1, Math.round(span / 1_000));
}

async function printWhy(options: PrintOptions, why: WhyAnswer): Promise<void> {
  if (isForPeople(options)) process.stdout.write(formatWhy(why, paintFor(options.color, process.stdout)));
  else await printAnswer(options, { document: why, rows: [why], columns: [], name: nameOf });
}

function nameOf(why: WhyAnswer): string {
  return "kind" in why ? runResourceName(why) : jobResourceName(why);
}
