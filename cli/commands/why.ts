import type { Command } from "commander";
import type { WhyAnswer } from "../../src/query/job/explain-job.ts";
import { ask } from "../../src/client/api-client.ts";
import { asArgument } from "../../src/command-line/as-argument.ts";
import { jobResourceName } from "../output/job-columns.ts";
import { pathOfJob } from "../query/job-location.ts";
import { withApi } from "../query/with-client.ts";
import { paintFor } from "../output/paint.ts";
import { isForPeople, printAnswer } from "../output/print-answer.ts";
import { addExamples } from "../../src/command-line/add-examples.ts";
import {
  addPlaceOptions,
  addQuestionOptions,
  type PlaceOptions,
  type PrintOptions,
  type SourceOptions,
} from "../options/query-options.ts";
import { parseTimeSpan } from "../options/time-span.ts";
import { formatWhy } from "../output/why-text.ts";

interface WhyOptions extends SourceOptions, PrintOptions, PlaceOptions {
  readonly uid?: string;
  readonly phantomAfter?: number;
}

export function define(command: Command): void {
  command
    .argument("<job>", "NAME or job/NAME")
    .option("--uid <uid>", "this incarnation of the name; the newest unless said")
    .option(
      "--phantom-after <span>",
      "tell Pods that run without a change for this long as ones that may be phantom-running, such as 30m",
      asArgument(parseTimeSpan),
    );
  addQuestionOptions(addPlaceOptions(command)).action(async (job: string, options: WhyOptions) =>
    withApi(options, async (api) => {
      const why = await ask<WhyAnswer>(api, await pathOfJob(api, job, options, "/why"), {
        uid: options.uid,
        phantomAfterSeconds: secondsOf(options.phantomAfter),
      });
      await printWhy(options, why);
    }),
  );
  addExamples(command, [
    ["outlive why job/report -n batch", "the verdict in a sentence, the facts it rests on, and what helps"],
    ["outlive why report -n batch --phantom-after 30m", "and which Pods have shown no change for so long"],
    ["outlive why report -n batch -o json", "the same for a program"],
  ]);
}

/** The API takes whole seconds, at least one. */
function secondsOf(span: number | undefined): number | undefined {
  return span === undefined ? undefined : Math.max(1, Math.round(span / 1_000));
}

async function printWhy(options: PrintOptions, why: WhyAnswer): Promise<void> {
  if (isForPeople(options)) process.stdout.write(formatWhy(why, paintFor(options.color, process.stdout)));
  else await printAnswer(options, { document: why, rows: [why], columns: [], name: jobResourceName });
}
