import type { EventReasons } from "../../kubernetes/translate/explaining-events.ts";
import type { TextOptions } from "../../kubernetes/translate/translated.ts";
import { type ApiClient } from "../client/api-client.ts";
import { CommandFailure } from "../command-line/command-failure.ts";
import type { ListenAddress } from "../server/listen.ts";
import { remoteClient } from "../client/remote-client.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import type { LeaseName } from "../../kubernetes/connection/kubernetes-lease-store.ts";
import { createJournal } from "../../ports/runtime/journal.ts";
import { createMessageQueue } from "../../adapters/sqs/message-queue.ts";
import { queueAhead } from "../../adapters/sqs/queue-clock.ts";
import { createSqsClient, type SqsClientOptions } from "../../adapters/sqs/sqs-client.ts";
import { createSqsSegmentQueue } from "../../adapters/sqs/sqs-segment-queue.ts";
import { auditWebhookOf, type AuditWebhookSettings } from "./audit-webhook.ts";
import { connect, sourceOf } from "./connect.ts";
import { openSpool } from "./open-spool.ts";
import { runExporter } from "./run-exporter.ts";

export interface ExportClusterOptions extends AuditWebhookSettings {
  readonly queue: string;
  readonly cluster: ClusterName;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly spool?: string;
  readonly spoolBytes: number;
  readonly tracker?: string;
  readonly token?: string;
  readonly lease?: LeaseName;
  readonly metrics?: ListenAddress;
  readonly auditLog?: string;
  /** Which texts may leave the cluster. @default none */
  readonly texts?: Partial<TextOptions>;
  /** The normal Events to keep. @default DEFAULT_EVENT_REASONS */
  readonly eventReasons?: EventReasons;
  /** How long a segment of few facts waits for more. @default DEFAULT_LINGER_MILLIS */
  readonly lingerMillis?: number;
  readonly stop: Promise<unknown>;
}

/**
 * Detects within seconds that the queue does not respond, so that segments go to disk; the outbox retries by itself.
 * The second attempt is for an idle connection that the other side has closed.
 */
const SQS_LIMITS: SqsClientOptions = { attempts: 2, requestMillis: 5000 };

/** Runs the exporter with the options of the command line. */
export async function exportCluster(options: ExportClusterOptions): Promise<void> {
  const { queue, spool: folder, spoolBytes, kubeconfig, context, tracker, token, lease, ...same } = options;
  const auditWebhook = auditWebhookOf(options);
  const journal = createJournal((line) => process.stderr.write(line), Date.now);
  const connection = connect(sourceOf(kubeconfig, context));
  const opened = folder === undefined ? undefined : await openSpool(folder, spoolBytes, journal);
  if (opened === undefined && lease === undefined) {
    journal.warn("The position is not stored, so a restart causes a monitoring gap. Set --spool or --lease.");
  }
  const client = createSqsClient(SQS_LIMITS);
  try {
    await runExporter({
      ...same,
      auditWebhook,
      connection,
      queue: createSqsSegmentQueue(createMessageQueue(client, queueUrl(queue))),
      queueAhead: () => queueAhead(client),
      journal,
      ...(opened !== undefined && { spool: opened.spool, positions: opened.positions }),
      ...(lease !== undefined && { lease }),
      ...(tracker !== undefined && { tracker: trackerAt(tracker, token) }),
    });
  } finally {
    opened?.release();
  }
}

function queueUrl(text: string): string {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text;
  throw new CommandFailure(
    2,
    `"${text}" is not the URL of a queue. Use the stack's output ` +
      "QueueUrl: https://sqs.REGION.amazonaws.com/ACCOUNT/NAME.",
  );
}

/**
 * A capture waits for the tracker's answer, so a tracker that does not respond must not block it for long. API Gateway
 * ends requests after 29 s.
 */
const TRACKER_TIMEOUT_MILLIS = 30_000;

function trackerAt(url: string, token: string | undefined): ApiClient {
  return remoteClient(url, token === undefined ? {} : { token }, { timeoutMillis: TRACKER_TIMEOUT_MILLIS });
}
