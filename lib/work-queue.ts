import { Duration } from "aws-cdk-lib";
import { EventSourceMapping } from "aws-cdk-lib/aws-lambda";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { GRANTS } from "../src/ports/deployment/grants.ts";
import type { OutliveFunction } from "./outlive-function.ts";
import { removalPolicyOf, type StoragePolicy } from "./storage/storage-policy.ts";

export interface WorkQueueProps {
  readonly storage: StoragePolicy;
  /** The timeout of the function that reads the queue. */
  readonly functionTimeout: Duration;
  /**
   * How long a received message is hidden from other readers; at least the function's timeout. @default six times the
   * timeout, as Lambda advises
   */
  readonly visibilityTimeout?: Duration;
  /**
   * How often a message is received before it moves to the dead-letter queue. @default 5, the least that Lambda advises
   */
  readonly maxReceiveCount?: number;
  /** A dead-letter queue that several queues share. @default a separate one */
  readonly deadLetters?: Queue;
}

/** The longest that SQS allows. In the dead-letter queue, the time counts from when the message was first sent. */
const RETENTION = Duration.days(14);

/** A standard queue with a dead-letter queue: work that is delivered at least once, in any order. */
export class WorkQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, props: WorkQueueProps) {
    super(scope, id);
    const { functionTimeout, visibilityTimeout = sixTimes(functionTimeout), maxReceiveCount = 5, storage } = props;
    const { key } = storage;
    const common = {
      retentionPeriod: RETENTION,
      enforceSSL: true,
      removalPolicy: removalPolicyOf(storage),
      ...(key === undefined
        ? { encryption: QueueEncryption.SQS_MANAGED }
        : { encryption: QueueEncryption.KMS, encryptionMasterKey: key, dataKeyReuse: Duration.hours(1) }),
    };
    this.deadLetters = props.deadLetters ?? new Queue(this, "DeadLetters", { ...common, visibilityTimeout });
    this.queue = new Queue(this, "Queue", {
      ...common,
      visibilityTimeout,
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount },
    });
  }

  /**
   * Invokes `reader` with batches of messages. Its response names the messages that failed (partial batch failures).
   * `concurrency` limits the batches at once, 2 to 1,000 (Lambda, ScalingConfig.MaximumConcurrency).
   */
  feed(reader: OutliveFunction, { batchSize, concurrency, batchSeconds = 0 }: Feeding): void {
    reader.allow(GRANTS.receiveMessages, [this.queue.queueArn]);
    new EventSourceMapping(this, "Mapping", {
      target: reader.live,
      eventSourceArn: this.queue.queueArn,
      batchSize,
      ...(batchSeconds > 0 && { maxBatchingWindow: Duration.seconds(batchSeconds) }),
      reportBatchItemFailures: true,
      maxConcurrency: concurrency,
    });
  }

  grantSend(sender: OutliveFunction): void {
    sender.allow(GRANTS.sendMessages, [this.queue.queueArn]);
  }
}

interface Feeding {
  readonly batchSize: number;
  /** Batches at the same time. */
  readonly concurrency: number;
  /**
   * How long Lambda waits for a batch to become full. In a queue with very little traffic it may wait for 20 s, also if
   * this is less (Lambda Developer Guide, "Using Lambda with Amazon SQS"). @default it does not wait
   */
  readonly batchSeconds?: number;
}

function sixTimes(duration: Duration): Duration {
  return Duration.seconds(6 * duration.toSeconds());
}
