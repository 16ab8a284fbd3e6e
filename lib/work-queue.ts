import { Duration } from "aws-cdk-lib";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { EventSourceMapping } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import type { OutliveFunction } from "./outlive-function.ts";
import { removalPolicyOf, type StoragePolicy } from "./storage-policy.ts";

export interface WorkQueueProps {
  readonly storage: StoragePolicy;
  /** How long the function that reads it may take. */
  readonly functionTimeout: Duration;
  /** How long a message that somebody takes is hidden from the others; at least the function's timeout. @default six times as long, as Lambda advises */
  readonly hiddenFor?: Duration;
  /** How often a message is tried before it goes to the dead-letter queue. @default 5, the least that Lambda advises */
  readonly tries?: number;
}

/** SQS keeps a message for 14 days at most, in the dead-letter queue counted from when it was first sent. */
const LONGEST = Duration.days(14);

/** A standard queue with its dead-letter queue: work that is taken at least once, in any order, and set apart when it fails again and again. */
export class WorkQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, props: WorkQueueProps) {
    super(scope, id);
    const { functionTimeout, hiddenFor = sixTimes(functionTimeout), tries = 5, storage } = props;
    const { key } = storage;
    const kept = {
      retentionPeriod: LONGEST,
      enforceSSL: true,
      removalPolicy: removalPolicyOf(storage),
      ...(key === undefined
        ? { encryption: QueueEncryption.SQS_MANAGED }
        : { encryption: QueueEncryption.KMS, encryptionMasterKey: key, dataKeyReuse: Duration.hours(1) }),
    };
    this.deadLetters = new Queue(this, "DeadLetters", kept);
    this.queue = new Queue(this, "Queue", {
      ...kept,
      visibilityTimeout: hiddenFor,
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: tries },
    });
  }

  /**
   * Hands its messages to `reader`, whose answer names those that failed (partial batch failures).
   * `concurrency` bounds how many batches are under way at once, 2 to 1,000 (Lambda, ScalingConfig.MaximumConcurrency).
   */
  feed(
    reader: OutliveFunction,
    { batchSize, concurrency }: { readonly batchSize: number; readonly concurrency: number },
  ): void {
    reader.allow(["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"], [this.queue.queueArn]);
    new EventSourceMapping(this, "Mapping", {
      target: reader.lambda,
      eventSourceArn: this.queue.queueArn,
      batchSize,
      reportBatchItemFailures: true,
      maxConcurrency: concurrency,
    });
  }

  /** Lets `sender` send. */
  takeFrom(sender: OutliveFunction): void {
    sender.allow(["sqs:SendMessage"], [this.queue.queueArn]);
  }
}

function sixTimes(duration: Duration): Duration {
  return Duration.seconds(6 * duration.toSeconds());
}
