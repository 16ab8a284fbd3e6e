import type { Command } from "commander";
import type { ReadingTally } from "../../src/host/embedded/recorded-facts.ts";
import { failForGaps } from "../output/recording-gaps-failure.ts";
import { addExamples } from "../../src/host/command-line/add-examples.ts";
import { readClusterName } from "../../src/host/command-line/cluster-name.ts";
import { addTextOptions, type TextFlags, textOptionsOf } from "../../src/host/command-line/text-options.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { fileRules } from "../../src/notify/rules/trace-rules.ts";
import type { OutboxStatus } from "../../src/notify/outbox/outbox-status.ts";
import { formatInstant } from "../../src/job/model/instant.ts";
import type { DeadDelivery, ReceiverStatus } from "../../src/ports/notices.ts";
import { PLACEHOLDERS } from "../../src/notify/rules/placeholders.ts";
import { processEnvironment } from "../../src/host/runtime/process-environment.ts";
import { errorMessage } from "../../src/job/text/error-message.ts";
import { count } from "../../src/job/text/sentence.ts";
import { type LogLinksFlag, logLinksOf, logLinksOption } from "../options/log-links-option.ts";
import { addPrintOptions, type PrintOptions } from "../options/query-options.ts";
import { addRegistryOptions, type RegistryOptions } from "../options/registry-options.ts";
import { isForPeople, printAnswer, remark } from "../output/print-answer.ts";
import type { Column } from "../output/table.ts";
import { withRegistry } from "../registry/with-registry.ts";
import { readRuleFile } from "./rule-file-argument.ts";

export function define(command: Command): void {
  const check = command
    .command("check")
    .description("Check a rule file, and that the environment has its secrets")
    .argument("<file>", "rule file (YAML)")
    .action(checkRules);
  addExamples(check, [["outlive rules check rules.yaml", "list every problem with its path"]]);
  const test = command
    .command("test")
    .description("Print the messages that rules would have sent for recordings")
    .argument("<file>", "rule file (YAML)")
    .requiredOption("--recording <file...>", "recordings of one cluster; - for standard input")
    .option("--cluster <name>", "name of the cluster in the messages", "recording")
    .addOption(logLinksOption());
  addTextOptions(addPrintOptions(test)).action(testRules);
  addExamples(test, [
    ["outlive rules test rules.yaml --recording watch.ndjson", "list the messages, in order"],
    ["outlive rules test rules.yaml --recording watch.ndjson -o json", "print them as receivers would get them"],
  ]);
  const status = command
    .command("status")
    .description("List receivers with their waiting, delivered and dead messages");
  addPrintOptions(addRegistryOptions(status)).action(printStatus);
  addExamples(status, [
    ["outlive rules status", "list receivers and dead messages of ./outlive.sqlite"],
    ["outlive rules status --stage live", "list those of a deployment on AWS"],
  ]);
}

async function checkRules(file: string): Promise<void> {
  const read = await readRuleFile(file, processEnvironment());
  const { receivers, maintenance } = read;
  const parts = [count(fileRules(read), "rule"), count(receivers.length, "receiver")];
  if (maintenance.length > 0) parts.push(count(maintenance.length, "maintenance interval"));
  remark(`${file} is valid: ${parts.join(", ")}.`);
}

type TestOptions = PrintOptions &
  TextFlags &
  LogLinksFlag & { readonly recording: readonly string[]; readonly cluster: string };

function remarkOnUnfolded([cause]: readonly unknown[]): void {
  remark(`Cannot apply facts: ${errorMessage(cause)}`);
}

async function testRules(file: string, options: TestOptions): Promise<void> {
  const rules = await readRuleFile(file, PLACEHOLDERS);
  const [{ rehearseRules }, { recordedFacts }, { REHEARSED_COLUMNS, rehearsedRow }] = await Promise.all([
    import("../../src/host/embedded/rehearse-rules.ts"),
    import("../../src/host/embedded/recorded-facts.ts"),
    import("./rehearsed-row.ts"),
  ]);
  const tally: ReadingTally = { events: 0, rejected: [], rejectedBeyond: 0 };
  const facts = recordedFacts(options.recording, tally, await textOptionsOf(options));
  const cluster = readClusterName(options.cluster);
  const rehearsal = { cluster, onUnfolded: remarkOnUnfolded, ...(await logLinksOf(options)) };
  const rows = [];
  for await (const one of rehearseRules(rules, facts, rehearsal)) {
    rows.push(rehearsedRow(one));
  }
  if (tally.events === 0) throw new CommandFailure(2, `No events of a cluster in ${options.recording.join(", ")}.`);
  await printAnswer(options, {
    document: { messages: rows },
    rows,
    columns: REHEARSED_COLUMNS,
    name: ({ message }) => message,
  });
  if (isForPeople(options)) remark(`${count(rows.length, "message")} for ${count(tally.events, "event")}.`);
  failForGaps(tally);
}

/** The most dead messages that are listed, newest first. */
const MOST_DEAD = 20;

async function printStatus(options: PrintOptions & RegistryOptions): Promise<void> {
  const { receivers, dead } = await readStatus(options);
  await printAnswer(options, {
    document: { receivers: receivers.map(describeReceiver), dead: dead.map(describeDead) },
    rows: receivers,
    columns: STATUS_COLUMNS,
    name: ({ receiver }) => receiver,
  });
  if (!isForPeople(options)) return;
  if (receivers.length === 0) remark(options.stage === undefined ? NONE_HERE : NONE_DEPLOYED);
  for (const { key, at, problem } of dead) remark(`Dead since ${formatInstant(at)}: ${key} (${problem}).`);
}

const NONE_HERE = 'No messages yet. Start "outlive serve --rules FILE".';
const NONE_DEPLOYED = "No messages yet. Deploy the stage with -c rules=FILE.";

async function readStatus(options: RegistryOptions): Promise<OutboxStatus> {
  const { outboxStatus } = await import("../../src/notify/outbox/outbox-status.ts");
  if (options.stage !== undefined) return withRegistry(options, ({ meta }) => outboxStatus(meta, MOST_DEAD));
  const { withDatabase } = await import("../../src/host/embedded/with-database.ts");
  return withDatabase(options.database, { create: false }, ({ meta }) => outboxStatus(meta, MOST_DEAD));
}

const STATUS_COLUMNS: readonly Column<ReceiverStatus>[] = [
  { header: "RECEIVER", cell: ({ receiver }) => receiver },
  { header: "WAITING", cell: ({ waiting }) => waiting },
  { header: "DELIVERED", cell: ({ delivered }) => delivered },
  { header: "SUPPRESSED", cell: ({ suppressed }) => suppressed },
  { header: "DEAD", cell: ({ dead }) => dead },
  { header: "LAST-DELIVERED", cell: ({ lastDeliveredAt }) => timeText(lastDeliveredAt) },
  { header: "FAILING-SINCE", cell: ({ failingSince }) => timeText(failingSince) },
  { header: "PROBLEM", cell: ({ failingSince, lastProblem }) => (failingSince === undefined ? "" : lastProblem) },
];

function timeText(at: number | undefined): string | undefined {
  return at === undefined ? undefined : formatInstant(at);
}

function describeReceiver({ lastDeliveredAt, failingSince, ...rest }: ReceiverStatus): object {
  return { ...rest, lastDeliveredAt: timeText(lastDeliveredAt), failingSince: timeText(failingSince) };
}

function describeDead({ at, ...rest }: DeadDelivery): object {
  return { ...rest, at: formatInstant(at) };
}
