import { Duration, Stack } from "aws-cdk-lib";
import { type Table } from "aws-cdk-lib/aws-dynamodb";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import { EventSourceMapping, StartingPosition } from "aws-cdk-lib/aws-lambda";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { GRANTS } from "../../src/ports/deployment/grants.ts";
import type { CapacitySettings } from "../capacity/capacity-settings.ts";
import type { EventLog } from "../event-log.ts";
import { grantJobStream } from "../grant-job-stream.ts";
import type { NotificationSettings } from "./notification-settings.ts";
import { OutliveFunction, type StageOfFunctions } from "../outlive-function.ts";
import type { Projection } from "../projection.ts";
import type { StoragePolicy } from "../storage/storage-policy.ts";
import { WorkQueue } from "../work-queue.ts";

export interface NotificationsProps extends StageOfFunctions, NotificationSettings {
  readonly storage: StoragePolicy;
  readonly log: EventLog;
  readonly projection: Projection;
  readonly capacity: CapacitySettings;
  /** The content of a file of links to the logs of Pods. @default messages contain none */
  readonly logLinks?: string;
}

/**
 * A shard with changes invokes the function every two seconds instead of four times a second, which costs a fifth
 * (bench/fleet/background-bill.ts). Lambda collects for at most 300 seconds (Lambda API, CreateEventSourceMapping).
 */
const BATCH_WINDOW = Duration.seconds(2);

/** The name of the rule file beside the bundle, which is Lambda's working directory. */
const RULES_FILE = "rules.json";
const NOTIFY_TIMEOUT = Duration.minutes(5);
/** Ten messages at once, each with a receiver that answers within ten seconds, and their records. */
const DELIVER_TIMEOUT = Duration.minutes(1);
/** SQS's most. A message to a receiver that is down returns about a hundred times within a day. */
const DELIVERY_RECEIVES = 1_000;
/**
 * The minimum of MaximumConcurrency of a queue, so that a failing receiver takes as little as possible from the others.
 */
const RECEIVER_CONCURRENCY = 2;
const GROUP_SECONDS = 5;
/** Rows of Jobs and runs only, and not the pages of large Jobs. Deleted and expired ones cause no message. */
const ROWS = { eventName: ["INSERT", "MODIFY"], dynamodb: { Keys: { sk: { S: ["S"] } } } };

/**
 * Notifications: `notify` checks each written row against the rules, and stores messages beside the version of the
 * condition that caused them. `deliver` sends them: each receiver has a queue that wakes it, so that a receiver that
 * fails delays no other.
 */
export class Notifications extends Construct {
  readonly notify: OutliveFunction;
  readonly deliver: OutliveFunction;
  /** Of the queues of all receivers. */
  readonly deadLetters: Queue;
  /** The most concurrent executions of both functions. */
  readonly concurrency: number;

  constructor(scope: Construct, id: string, props: NotificationsProps) {
    super(scope, id);
    const { rules, capacity } = props;
    const queues = this.#createQueues(props);
    const [first] = queues.values();
    if (first === undefined) {
      throw new TypeError("Cannot create the queues of notifications: the rule file has no receivers.");
    }
    this.deadLetters = first.deadLetters;
    const urls = Object.fromEntries([...queues].map(([name, { queue }]) => [name, queue.queueUrl]));
    const shared = {
      OUTLIVE_RULES_FILE: RULES_FILE,
      OUTLIVE_DELIVERY_QUEUES: Stack.of(this).toJsonString(urls),
    };
    this.notify = this.#createNotify(props, shared);
    this.deliver = this.#createDeliver(props, shared);
    for (const [name, queue] of queues) {
      const isGrouped = rules.receivers.find((receiver) => receiver.name === name)?.group !== undefined;
      queue.grantSend(this.notify);
      queue.feed(this.deliver, {
        batchSize: 10,
        concurrency: RECEIVER_CONCURRENCY,
        ...(isGrouped && { batchSeconds: GROUP_SECONDS }),
      });
      this.deliver.allow(GRANTS.postponeMessages, [queue.queue.queueArn]);
    }
    this.#grantReceivers(props);
    this.concurrency = 2 * capacity.logShards + 1 + RECEIVER_CONCURRENCY * queues.size;
  }

  #createQueues({ rules, storage }: NotificationsProps): ReadonlyMap<string, WorkQueue> {
    const queues = new Map<string, WorkQueue>();
    const shared = { storage, functionTimeout: DELIVER_TIMEOUT, maxReceiveCount: DELIVERY_RECEIVES };
    let deadLetters: Queue | undefined;
    for (const { name } of rules.receivers) {
      const queue: WorkQueue = new WorkQueue(this, `To-${name}`, { ...shared, ...(deadLetters && { deadLetters }) });
      deadLetters = queue.deadLetters;
      queues.set(name, queue);
    }
    return queues;
  }

  #createNotify(props: NotificationsProps, shared: Shared): OutliveFunction {
    const { stage, tracing, projection, log, storage, rulesDocument, logLinks } = props;
    const notify = new OutliveFunction(this, "Notify", {
      name: "notify",
      stage,
      tracing,
      memory: 1024,
      timeout: NOTIFY_TIMEOUT,
      environment: {
        ...projection.environment,
        OUTLIVE_LOG_TABLE: log.table.tableName,
        ...shared,
        ...(logLinks !== undefined && { OUTLIVE_LOG_LINK_TEMPLATES: logLinks }),
      },
      description: "Checks changes of Jobs, CronJobs and clusters against the rules of notifications",
      files: { [RULES_FILE]: rulesDocument },
    });
    projection.grantReadJobs(notify);
    projection.grantReadRuns(notify);
    projection.grantWriteRecords(notify);
    log.grantRead(notify);
    notify.grantKey(storage.key);
    const { jobsA, jobsB, runsA, runsB } = projection;
    for (const table of [jobsA, jobsB, runsA, runsB]) this.#mapStream(notify, table);
    new Rule(this, "Schedule", {
      description: "Checks CronJobs and clusters against the rules of notifications",
      schedule: Schedule.rate(Duration.minutes(5)),
      targets: [new LambdaFunction(notify.live, { retryAttempts: 0 })],
    });
    return notify;
  }

  #createDeliver(props: NotificationsProps, shared: Shared): OutliveFunction {
    const { stage, tracing, projection, storage, log, rules, rulesDocument, rulesSecret } = props;
    const takesTraces = rules.receivers.some((receiver) => receiver.takesTraces);
    const { OUTLIVE_META_TABLE, OUTLIVE_RETENTION_DAYS } = projection.environment;
    const deliver = new OutliveFunction(this, "Deliver", {
      name: "deliver",
      stage,
      tracing,
      timeout: DELIVER_TIMEOUT,
      // Two traces of up to 10 MB are in memory for each receiver, and reading 10,000 Pods needs processor time.
      ...(takesTraces && { memory: 1024 }),
      environment: {
        OUTLIVE_META_TABLE,
        OUTLIVE_RETENTION_DAYS,
        ...(takesTraces && { ...projection.environment, OUTLIVE_LOG_TABLE: log.table.tableName }),
        ...shared,
        ...(rulesSecret !== undefined && { OUTLIVE_RULES_SECRET: rulesSecret }),
      },
      description: "Sends the messages of notifications to their receivers",
      files: { [RULES_FILE]: rulesDocument },
    });
    projection.grantWriteRecords(deliver);
    if (takesTraces) {
      projection.grantReadJobs(deliver);
      projection.grantListRuns(deliver);
      log.grantRead(deliver);
    }
    deliver.grantKey(storage.key);
    if (rulesSecret !== undefined) deliver.allow(GRANTS.readSecret, [rulesSecret]);
    return deliver;
  }

  #grantReceivers({ rules }: NotificationsProps): void {
    const resources = rules.receivers.flatMap(({ resource }) => resource ?? []);
    const buses = resources.flatMap((one) => (one.service === "eventbridge" ? [this.#busArn(one.bus)] : []));
    const topics = resources.flatMap((one) => (one.service === "sns" ? [one.topic] : []));
    if (buses.length > 0) this.deliver.allow(GRANTS.putEvents, [...new Set(buses)]);
    if (topics.length > 0) this.deliver.allow(GRANTS.publishMessages, [...new Set(topics)]);
  }

  #busArn(bus: string): string {
    if (bus.startsWith("arn:")) return bus;
    return Stack.of(this).formatArn({ service: "events", resource: "event-bus", resourceName: bus });
  }

  /** Starts with new records only, because rules do not apply to the past. */
  #mapStream(notify: OutliveFunction, table: Table): void {
    new EventSourceMapping(this, `${table.node.id}Stream`, {
      target: notify.live,
      eventSourceArn: grantJobStream(notify, table),
      startingPosition: StartingPosition.LATEST,
      batchSize: 100,
      maxBatchingWindow: BATCH_WINDOW,
      bisectBatchOnError: true,
      /** Only an outage throws. It may last for as long as the stream keeps records: 24 hours. */
      retryAttempts: 10_000,
      maxRecordAge: Duration.hours(20),
      filters: [{ pattern: JSON.stringify(ROWS) }],
    });
  }
}

interface Shared {
  readonly OUTLIVE_RULES_FILE: string;
  readonly OUTLIVE_DELIVERY_QUEUES: string;
}
