import { Duration, Stack } from "aws-cdk-lib";
import { CfnPermission, EventInvokeConfig } from "aws-cdk-lib/aws-lambda";
import { CfnSubscriptionFilter } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import type { Ingest } from "../ingest.ts";
import { OutliveFunction, type StageOfFunctions } from "../outlive-function.ts";
import type { StoragePolicy } from "../storage/storage-policy.ts";
import { WorkQueue } from "../work-queue.ts";
import type { AuditLogSettings } from "./audit-log-settings.ts";
import { DELETIONS_PATTERN } from "./deletions-pattern.ts";

export interface AuditLogsProps extends StageOfFunctions, AuditLogSettings {
  readonly storage: StoragePolicy;
  readonly ingest: Ingest;
}

/** A delivery has at most about 1 MiB of log events. */
const TIMEOUT = Duration.seconds(30);
/** The least MaximumConcurrency of a queue. */
const RETRY_CONCURRENCY = 2;
/** Every quarter of an hour for a day. */
const RETRY_EVERY = Duration.minutes(15);
const RETRIES = 96;
/** Lambda's most for an asynchronous event, if the function is throttled. */
const MAX_EVENT_AGE = Duration.hours(6);

/**
 * Reads audit logs where EKS delivers them: in CloudWatch Logs. A subscription of each log group invokes the function
 * with deletions and evictions, which it sends to the queue of segments. Failed deliveries wait in a queue and are
 * repeated for a day.
 *
 * A log group has at most two subscriptions, and a function can be subscribed in its own account and region only
 * (CloudWatch Logs, PutSubscriptionFilter).
 */
export class AuditLogs extends Construct {
  readonly function: OutliveFunction;
  /** Deliveries whose invocations failed. */
  readonly retries: WorkQueue;
  /** The most concurrent executions: CloudWatch Logs delivers the log streams of a log group one after the other. */
  readonly concurrency: number;

  constructor(scope: Construct, id: string, props: AuditLogsProps) {
    super(scope, id);
    const { stage, tracing, storage, ingest, groups } = props;
    const clusters = JSON.stringify(Object.fromEntries(groups));
    this.function = new OutliveFunction(this, "AuditLogs", {
      name: "audit-logs",
      stage,
      tracing,
      description: "Sends deletions and evictions in audit logs of CloudWatch Logs to the queue of segments",
      timeout: TIMEOUT,
      environment: {
        OUTLIVE_SEGMENT_QUEUE_URL: ingest.segments.queue.queueUrl,
        OUTLIVE_AUDIT_LOG_GROUPS: clusters,
      },
    });
    ingest.segments.grantSend(this.function);
    ingest.admitAuditLogs(this.function.role.roleId, clusters);
    this.function.grantKey(storage.key);
    this.retries = new WorkQueue(this, "Retries", {
      storage,
      functionTimeout: TIMEOUT,
      visibilityTimeout: RETRY_EVERY,
      maxReceiveCount: RETRIES,
    });
    this.retries.grantSend(this.function);
    this.#keepFailed();
    this.retries.feed(this.function, { batchSize: 10, concurrency: RETRY_CONCURRENCY });
    [...groups.keys()].forEach((group, number) => this.#subscribe(group, number));
    this.concurrency = groups.size + RETRY_CONCURRENCY;
  }

  /** CloudWatch Logs invokes asynchronously: Lambda tries three times within minutes, and then passes the event on. */
  #keepFailed(): void {
    new EventInvokeConfig(this, "OnFailure", {
      function: this.function.lambda,
      maxEventAge: MAX_EVENT_AGE,
      // SqsDestination would grant the key of the data with wildcards. The role has what it needs from grantKey.
      onFailure: { bind: () => ({ destination: this.retries.queue.queueArn }) },
    });
  }

  #subscribe(group: string, number: number): void {
    const { account, region } = Stack.of(this);
    const { live } = this.function;
    const permission = new CfnPermission(this, `Permission${number}`, {
      action: "lambda:InvokeFunction",
      functionName: live.functionArn,
      principal: "logs.amazonaws.com",
      sourceAccount: account,
      sourceArn: Stack.of(this).formatArn({ service: "logs", resource: `log-group:${group}:*`, account, region }),
    });
    const filter = new CfnSubscriptionFilter(this, `Subscription${number}`, {
      logGroupName: group,
      filterPattern: DELETIONS_PATTERN,
      destinationArn: live.functionArn,
    });
    // CloudWatch Logs sends a test message when the filter is created.
    filter.addResourceDependency(permission);
  }
}
