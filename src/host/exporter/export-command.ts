import { type Command, InvalidArgumentError, Option } from "commander";
import type { ExportClusterOptions } from "./export-cluster.ts";
import type { LeaseName } from "../../kubernetes/connection/kubernetes-lease-store.ts";
import { asArgument } from "../command-line/as-argument.ts";
import { type ListenAddress, parseListen } from "../server/listen.ts";
import { addTextOptions, type TextFlags, textOptionsOf } from "../command-line/text-options.ts";
import { eventReasonsOption } from "../command-line/event-reasons-option.ts";
import { addExamples } from "../command-line/add-examples.ts";
import { DEFAULT_LINGER_MILLIS } from "../../kubernetes/delivery/segment-batcher.ts";
import { stopSignal } from "../runtime/stop-signal.ts";
import { watchedClusterOption } from "../command-line/watched-cluster-option.ts";

interface ExportOptions extends Omit<ExportClusterOptions, "stop" | "texts">, TextFlags {
  readonly containerMessages?: true;
}

const GIB = 1024 ** 3;

export function defineExport(command: Command): void {
  const options = [...connectionOptions(), ...deliveryOptions(), ...auditOptions(), eventReasonsOption()];
  for (const option of options) command.addOption(option);
  addTextOptions(command).action(runExport);
  addExamples(command, [
    [
      "outlive export --queue https://sqs.eu-central-1.amazonaws.com/123456789012/outlive --cluster prod-eu",
      "from the current context",
    ],
    [
      "outlive export --queue URL --spool /var/spool/outlive --lease outlive/exporter --metrics :9090",
      "as one of several replicas in a Pod",
    ],
  ]);
}

function connectionOptions(): readonly Option[] {
  return [
    new Option("--queue <url>", "the SQS queue of the tracker").env("OUTLIVE_QUEUE_URL").makeOptionMandatory(),
    watchedClusterOption(),
    new Option(
      "--kubeconfig <file>",
      "how to reach the cluster (default: $KUBECONFIG, ~/.kube/config, or the Pod's service account)",
    ),
    new Option("--context <name>", "the context of the kubeconfig").env("OUTLIVE_CONTEXT"),
    new Option("--tracker <url>", "the tracker's API, to find out which objects existed before a gap").env(
      "OUTLIVE_SERVER",
    ),
    new Option("--token <token>", "the tracker's token").env("OUTLIVE_TOKEN"),
  ];
}

function deliveryOptions(): readonly Option[] {
  return [
    new Option(
      "--spool <dir>",
      "where segments wait while the queue is unavailable; a folder for this process alone",
    ).env("OUTLIVE_SPOOL"),
    new Option("--spool-bytes <bytes>", "the most bytes in the spool")
      .env("OUTLIVE_SPOOL_BYTES")
      .argParser(readBytes)
      .default(GIB, "1 GiB"),
    new Option("--lease <namespace/name>", "the Lease that replicas share; the replica that holds it sends")
      .env("OUTLIVE_LEASE")
      .argParser(readLease),
    new Option("--linger-millis <millis>", "how long a segment of few facts waits for more; 0 to send it at once")
      .env("OUTLIVE_LINGER_MILLIS")
      .argParser(readMillis)
      .default(DEFAULT_LINGER_MILLIS),
    listenOption("--metrics <host:port>", "serve /metrics, /healthz and /readyz", "OUTLIVE_METRICS"),
  ];
}

function auditOptions(): readonly Option[] {
  return [
    listenOption(
      "--audit-webhook <host:port>",
      "receive audit batches from the API server's webhook backend",
      "OUTLIVE_AUDIT_WEBHOOK",
    ),
    new Option(
      "--audit-webhook-token <token>",
      "the token that the API server must send with audit batches (at least 16 characters)",
    ).env("OUTLIVE_AUDIT_WEBHOOK_TOKEN"),
    ...auditTlsOptions(),
    new Option("--audit-log <file>", "follow an audit log").env("OUTLIVE_AUDIT_LOG"),
    new Option("--container-messages", "send termination messages too, which programs write").env(
      "OUTLIVE_CONTAINER_MESSAGES",
    ),
  ];
}

function auditTlsOptions(): readonly Option[] {
  return [
    new Option("--audit-webhook-cert <file>", "the certificate of the audit webhook (PEM): serve HTTPS").env(
      "OUTLIVE_AUDIT_WEBHOOK_CERT",
    ),
    new Option("--audit-webhook-key <file>", "the key of that certificate (PEM)").env("OUTLIVE_AUDIT_WEBHOOK_KEY"),
    new Option(
      "--audit-webhook-client-ca <file>",
      "require a client certificate signed by this authority (PEM), instead of a token or with it",
    ).env("OUTLIVE_AUDIT_WEBHOOK_CLIENT_CA"),
    new Option("--audit-webhook-client-name <name>", "the common name that the client certificate must have").env(
      "OUTLIVE_AUDIT_WEBHOOK_CLIENT_NAME",
    ),
  ];
}

async function runExport({
  containerMessages,
  includeMessages,
  includeNames,
  kinds,
  ...options
}: ExportOptions): Promise<void> {
  const stop = stopSignal();
  const { exportCluster } = await import("./export-cluster.ts");
  const flags = await textOptionsOf({ includeMessages, includeNames, kinds });
  const texts = { ...flags, containerMessages: containerMessages === true };
  await exportCluster({ ...options, texts, stop });
}

function listenOption(flags: string, description: string, env: string): Option {
  return new Option(flags, description).env(env).argParser(asArgument(readListen));
}

/** `:9090` listens on all addresses, because Prometheus and the kubelet connect from outside the Pod. */
function readListen(text: string): ListenAddress {
  return parseListen(text.startsWith(":") ? `0.0.0.0${text}` : text);
}

function readLease(text: string): LeaseName {
  const [, namespace, name] = /^([a-z0-9-]{1,63})\/([a-z0-9.-]{1,253})$/.exec(text) ?? [];
  if (namespace === undefined || name === undefined) throw new InvalidArgumentError("Write NAMESPACE/NAME.");
  return { namespace, name };
}

function readMillis(text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Write a whole number of milliseconds, at most 9999.");
}

function readBytes(text: string): number {
  const [, digits, unit = ""] = /^(\d{1,15})(Ki|Mi|Gi)?$/.exec(text) ?? [];
  if (digits === undefined) throw new InvalidArgumentError("Write a whole number of bytes, or one with Ki, Mi or Gi.");
  return Number(digits) * 1024 ** ["", "Ki", "Mi", "Gi"].indexOf(unit);
}
