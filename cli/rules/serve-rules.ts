import { InvalidArgumentError, Option } from "commander";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { processEnvironment } from "../../src/host/runtime/process-environment.ts";
import { count } from "../../src/job/text/sentence.ts";
import { isAddress } from "../../src/notify/receivers/secret.ts";
import { fileRules, withTraces } from "../../src/notify/rules/trace-rules.ts";
import type { NotificationRules } from "../../src/notify/rules/rules.ts";
import { readRuleFile } from "./rule-file-argument.ts";

export function otlpOption(): Option {
  return new Option(
    "--otlp <url>",
    "send a trace of each run that is final to this OpenTelemetry collector (OTLP/HTTP)",
  )
    .env("OUTLIVE_OTLP")
    .argParser(parseOtlp);
}

/** Throws InvalidArgumentError. */
function parseOtlp(text: string): string {
  if (isAddress(text)) return text;
  throw new InvalidArgumentError("Expected an http or https URL, such as http://otel-collector:4318.");
}

const NO_RULES: NotificationRules = { rules: [], receivers: [], maintenance: [] };

/** The rules of the file, and the one of `--otlp`; `undefined` without both. Throws CommandFailure. */
export async function rulesOf(
  { rules: file, otlp: url }: { readonly rules?: string; readonly otlp?: string },
  environment = processEnvironment(),
): Promise<NotificationRules | undefined> {
  const rules = file === undefined ? undefined : await readRuleFile(file, environment);
  if (url === undefined) return rules;
  const added = withTraces(rules ?? NO_RULES, { url, environment });
  if ("problem" in added) throw new CommandFailure(2, `Cannot send traces: ${added.problem}`);
  return added;
}

/** What is sent by these rules, for the operator. An address may contain a secret: only its host is named. */
export function sendingText(rules: NotificationRules, otlp: string | undefined): string {
  const traces = otlp === undefined ? [] : [`Sending a trace of each run to ${new URL(otlp).host}.`];
  const receivers = rules.receivers.length - traces.length;
  const ruled = `Sending notifications by ${count(fileRules(rules), "rule")} to ${count(receivers, "receiver")}.`;
  return [...(receivers > 0 ? [ruled] : []), ...traces].join(" ");
}
