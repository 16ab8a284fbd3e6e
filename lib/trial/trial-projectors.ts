import { Construct } from "constructs";
import { GRANTS } from "../../src/deployment/grants.ts";
import { type CapacitySettings, projectConcurrency, trialConcurrency } from "../capacity-settings.ts";
import type { EventLog } from "../event-log.ts";
import { OutliveFunction, type StageOfFunctions } from "../outlive-function.ts";
import { type Projection, PROJECTOR } from "../projection.ts";
import type { StoragePolicy } from "../storage-policy.ts";
import { WorkQueue } from "../work-queue.ts";

export interface TrialProjectorsProps extends StageOfFunctions {
  readonly storage: StoragePolicy;
  readonly log: EventLog;
  readonly projection: Projection;
  readonly foldSeconds?: number;
  readonly capacity: CapacitySettings;
}

/**
 * What a trial may write of the records: what it has noted about large Jobs, and changes of Jobs, which it announces
 * while its projection answers.
 */
const OWN_RECORDS = ["waiting", "changes#*"];

/**
 * The projectors of the deployed release beside those of an earlier one: the same code, which writes the other
 * projection and no records (src/projection/projector.ts). They have a mapping of the log's stream, a queue and a
 * concurrency of their own, so that they cannot delay the projection that answers.
 */
export class TrialProjectors extends Construct {
  readonly project: OutliveFunction;
  readonly refold: OutliveFunction;
  readonly refolds: WorkQueue;
  /** The concurrent executions that the functions use. */
  readonly concurrency: number;

  constructor(scope: Construct, id: string, props: TrialProjectorsProps) {
    super(scope, id);
    const { storage, log, projection, capacity } = props;
    this.concurrency = trialConcurrency(capacity);
    this.refolds = new WorkQueue(this, "Refolds", {
      // It has keys of log items only, and is deleted with the trial.
      storage: { ...storage, disposable: true },
      functionTimeout: PROJECTOR.refoldTimeout,
      maxReceiveCount: PROJECTOR.refoldReceives,
      deadLetters: projection.refolds.deadLetters,
    });
    this.project = this.#createProject(props);
    this.refold = this.#createRefold(props);
    for (const writer of [this.project, this.refold]) {
      projection.grantReadJobs(writer);
      projection.grantWriteJobs(writer);
      projection.grantReadRecords(writer);
      writer.allowItemsLike(GRANTS.writeRecords, projection.meta.tableArn, OWN_RECORDS);
      writer.grantKey(storage.key);
    }
    log.grantRead(this.refold);
    projection.feedStream(this.project, props);
    this.refolds.grantSend(this.project);
    this.refolds.feed(this.refold, { batchSize: PROJECTOR.refoldBatch, concurrency: capacity.refoldConcurrency });
  }

  /** What alarms are about. */
  get monitored() {
    return { project: this.project.lambda, refold: this.refold.lambda, concurrency: this.concurrency };
  }

  #createProject({ stage, tracing, projection, capacity }: TrialProjectorsProps): OutliveFunction {
    return new OutliveFunction(this, "Project", {
      name: "project",
      stage,
      tracing,
      memory: PROJECTOR.memory,
      timeout: PROJECTOR.projectTimeout,
      environment: {
        ...projection.environment,
        OUTLIVE_REFOLD_QUEUE_URL: this.refolds.queue.queueUrl,
        OUTLIVE_PROJECTOR: "trial",
      },
      description: "Projects new log items into the projection of a trial",
      ...(capacity.reserveConcurrency && { reservedConcurrency: projectConcurrency(capacity) }),
    });
  }

  #createRefold({ stage, tracing, log, projection, capacity }: TrialProjectorsProps): OutliveFunction {
    return new OutliveFunction(this, "Refold", {
      name: "refold",
      stage,
      tracing,
      memory: PROJECTOR.memory,
      timeout: PROJECTOR.refoldTimeout,
      environment: {
        ...projection.environment,
        OUTLIVE_LOG_TABLE: log.table.tableName,
        OUTLIVE_PROJECTOR: "trial",
      },
      description: "Retries log items that could not be projected in a trial",
      ...(capacity.reserveConcurrency && { reservedConcurrency: capacity.refoldConcurrency }),
    });
  }
}
