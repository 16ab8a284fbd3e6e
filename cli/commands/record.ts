import { addTextOptions, type TextFlags, textOptionsOf } from "../../src/host/command-line/text-options.ts";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { type Command, Option } from "commander";
import { confirmReachable } from "../../src/host/exporter/confirm-reachable.ts";
import { connect, sourceOf } from "../../src/host/exporter/connect.ts";
import { count } from "../../src/job/text/sentence.ts";
import type { CaptureEvent } from "../../src/kubernetes/watch/capture-event.ts";
import { recordCluster, type SlimEvent } from "../../src/kubernetes/recording/record-cluster.ts";
import { systemClock } from "../../src/ports/runtime/clock.ts";
import { asArgument } from "../../src/host/command-line/as-argument.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { remark } from "../output/print-answer.ts";
import { addExamples } from "../../src/host/command-line/add-examples.ts";
import { stopSignal } from "../../src/host/runtime/stop-signal.ts";
import { readSpan } from "../options/read-span.ts";

interface RecordOptions extends TextFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
  readonly duration?: number;
  readonly out: string;
}

const STANDARD_OUTPUT = "-";

export function define(command: Command): void {
  command
    .option("--kubeconfig <file>", "kubeconfig of the cluster (default: as in kubectl)")
    .option("--context <name>", "context of the kubeconfig")
    .option("-n, --namespace <namespace>", "record this namespace only (default: all namespaces)")
    .addOption(
      new Option("--duration <span>", "duration of the recording: 90s, 10m, 1h (default: until Ctrl-C)").argParser(
        asArgument(readSpan),
      ),
    )
    .option("--out <file>", "file to write; .gz compresses, - for standard output", STANDARD_OUTPUT)
    .addHelpText(
      "after",
      "\nRecordings contain no environment variables, commands, images, annotations, program output or message texts.",
    );
  addTextOptions(command).action(record);
  addExamples(command, [
    ["outlive record --duration 10m --out watch.ndjson.gz", "record the current cluster of kubectl for 10 minutes"],
    ["outlive record -n batch --out - | outlive fold -", "record one namespace until Ctrl-C, then print its Jobs"],
  ]);
}

/** The totals of a recording. */
interface RecordTally {
  events: number;
  gaps: number;
}

async function record({ kubeconfig, context, namespace, duration, out, ...flags }: RecordOptions): Promise<void> {
  const connection = connect(sourceOf(kubeconfig, context));
  const stopper = new AbortController();
  void stopSignal().then(() => stopper.abort());
  await confirmReachable(connection, stopper.signal);
  const cancel = duration === undefined ? undefined : systemClock.after(duration, () => stopper.abort());
  const tally: RecordTally = { events: 0, gaps: 0 };
  const events = recordCluster(connection, {
    clock: systemClock,
    random: Math.random,
    signal: stopper.signal,
    report: (event) => report(event, tally),
    texts: await textOptionsOf(flags),
    ...(namespace !== undefined && { namespace }),
  });
  try {
    await write(linesOf(events, tally), out);
  } finally {
    cancel?.();
    stopper.abort();
  }
  remark(`Recorded ${count(tally.events, "event")}.`);
  if (tally.gaps > 0) {
    throw new CommandFailure(
      3,
      `The recording has ${count(tally.gaps, "gap")}: events are missing. Record again if you need them.`,
    );
  }
}

async function* linesOf(batches: AsyncIterable<readonly SlimEvent[]>, tally: RecordTally): AsyncGenerator<string> {
  for await (const events of batches) {
    tally.events += events.length;
    yield events.map((event) => `${JSON.stringify(event)}\n`).join("");
  }
}

async function write(lines: AsyncIterable<string>, out: string): Promise<void> {
  if (out === STANDARD_OUTPUT) {
    for await (const text of lines) if (!process.stdout.write(text)) await once(process.stdout, "drain");
    return;
  }
  const file: Writable = createWriteStream(out, { mode: 0o600 });
  try {
    if (out.endsWith(".gz")) await pipeline(Readable.from(lines), createGzip(), file);
    else await pipeline(Readable.from(lines), file);
  } catch (cause) {
    if (!(cause instanceof Error) || !("syscall" in cause)) throw cause;
    throw new CommandFailure(2, `Cannot write ${out}: ${cause.message}.`, { cause });
  }
}

function report(event: CaptureEvent, tally: RecordTally): void {
  switch (event.kind) {
    case "problem":
      remark(`${event.message} Retrying in ${Math.ceil(event.retryInMillis / 1000)} s.`);
      return;
    case "rejected":
      remark(`${event.resource}: skipped ${event.object}. ${event.reason}`);
      return;
    case "gap":
      tally.gaps += 1;
      remark(`${event.resource}: ${event.reason}`);
      return;
    case "removed":
      remark(`${event.resource}: the cluster serves them no longer.`);
      return;
    case "listed":
    case "watching":
    case "heard":
    case "stalled":
    case "relisting":
      return;
  }
}
