import { CfnElement, Duration, Stack } from "aws-cdk-lib";
import {
  Choice,
  Condition,
  DefinitionBody,
  DistributedMap,
  Errors,
  Fail,
  type IChainable,
  JitterType,
  JsonPath,
  StateMachine,
  Succeed,
  TaskInput,
  Timeout,
} from "aws-cdk-lib/aws-stepfunctions";
import { LambdaInvoke } from "aws-cdk-lib/aws-stepfunctions-tasks";
import { Construct } from "constructs";
import { GRANTS } from "../src/ports/deployment/grants.ts";
import { type ProjectorVersions, projectorVersionsText } from "../src/ports/deployment/projector-versions.ts";
import { REPLAY_DAYS } from "../src/ports/deployment/retention.ts";
import { type CapacitySettings, REPLAY_CONTROL } from "./capacity/capacity-settings.ts";
import type { EventLog } from "./event-log.ts";
import { acceptPattern, nagText, suppressNag } from "./nag-suppression.ts";
import { OutliveFunction, type StageOfFunctions } from "./outlive-function.ts";
import type { Projection } from "./projection.ts";
import { RetainedBucket } from "./storage/retained-bucket.ts";
import type { StoragePolicy } from "./storage/storage-policy.ts";

export interface ReplayProps extends StageOfFunctions {
  readonly storage: StoragePolicy;
  readonly log: EventLog;
  readonly projection: Projection;
  /** Versions of the projectors that stay in use: only a trial may fill the idle projection then. @default none */
  readonly keepProjectors?: ProjectorVersions;
  readonly capacity: CapacitySettings;
}

/** Lambda's limit. A step that runs out of time reports that, and is repeated. */
const TIMEOUT = Duration.minutes(15);

/**
 * The number of units that may fail without stopping the others: more than a replay has (list-units.ts). A percentage
 * of 100 would be equivalent, but LocalStack does not support whole percentages.
 */
const MANY_UNITS = 10_000;

/** The label of the map. */
const UNITS = "Units";

/**
 * A worker that was killed, or throttled, is started again after 5 s to 5 minutes: eight times, over a quarter of an
 * hour. A unit whose worker still fails is left out, and `outlive replay --resume` continues with it.
 */
const RETRY = {
  errors: [Errors.ALL],
  interval: Duration.seconds(5),
  backoffRate: 2,
  maxDelay: Duration.minutes(5),
  maxAttempts: 8,
  jitterStrategy: JitterType.FULL,
};

/**
 * Rebuilds the idle table of Jobs from the log while the other one answers, then switches. A state machine runs the
 * function once for each unit of a stage, with many units in parallel, and then continues with the next stage. Only the
 * function's role can delete items of these tables: Jobs that the log does not have. It has read access to the log.
 */
export class Replay extends Construct {
  readonly function: OutliveFunction<"replay">;
  readonly machine: StateMachine;
  /** Partial states, while a replay runs. */
  readonly partialStates: RetainedBucket;

  constructor(scope: Construct, id: string, props: ReplayProps) {
    super(scope, id);
    const { storage, stage, tracing = false, log, projection, capacity, keepProjectors: kept } = props;
    this.partialStates = new RetainedBucket(this, "PartialStates", { storage, days: REPLAY_DAYS });
    this.function = new OutliveFunction(this, "Replay", {
      name: "replay",
      stage,
      tracing,
      description: "Rebuilds the idle projection from the log, then switches to it",
      timeout: TIMEOUT,
      memory: 1769,
      ...(capacity.reserveConcurrency && { reservedConcurrency: capacity.replayConcurrency + REPLAY_CONTROL }),
      environment: {
        ...projection.environment,
        OUTLIVE_LOG_TABLE: log.table.tableName,
        OUTLIVE_REPLAY_BUCKET: this.partialStates.bucket.bucketName,
        ...(kept && { OUTLIVE_KEPT_PROJECTORS: projectorVersionsText(kept) }),
      },
    });
    log.grantRead(this.function);
    projection.grantReadJobs(this.function);
    projection.grantRebuild(this.function);
    projection.grantWriteRecords(this.function);
    this.#grantPartialStates();
    this.function.grantKey(storage.key);
    this.machine = this.#createMachine({ tracing, capacity });
  }

  #grantPartialStates(): void {
    const { bucket } = this.partialStates;
    this.function.allow(GRANTS.keepPartialStates, [bucket.arnForObjects("*")]);
    this.function.allow(GRANTS.listReplay, [bucket.bucketArn]);
    const names = "The names of the objects contain the number of the replay, and hashes.";
    acceptPattern(this.function.role, { owner: bucket, pattern: "/*" }, names);
  }

  #createMachine({
    tracing,
    capacity,
  }: {
    readonly tracing: boolean;
    readonly capacity: CapacitySettings;
  }): StateMachine {
    const machine = new StateMachine(this, "Machine", {
      comment: "Rebuilds the idle projection of Outlive from the log",
      definitionBody: DefinitionBody.fromChainable(this.#definition(capacity)),
      tracingEnabled: tracing,
    });
    suppressNag(
      machine,
      "SF1",
      "Step Functions keeps the events of an execution for 90 days, and the function logs each step.",
    );
    if (!tracing) suppressNag(machine, "SF2", "X-Ray is a setting of the stage.");
    acceptOwnExecutions(machine);
    const versions = { owner: this.function.lambda, pattern: ":*" };
    acceptPattern(
      machine,
      versions,
      "The CDK permits each version of the function that a task invokes. There is none.",
    );
    if (tracing) suppressNag(machine.role, "IAM5[Resource::*]", "X-Ray has no resources to name.");
    return machine;
  }

  #definition({ replayConcurrency }: CapacitySettings): IChainable {
    const refused = new Fail(this, "Refused", { error: "ReplayRefused", causePath: "$.reason" });
    const incomplete = new Fail(this, "Incomplete", { error: "ReplayIncomplete", causePath: "$.reason" });
    const unfinished = new Fail(this, "Unfinished", {
      error: "ReplayUnfinished",
      cause: "The workers of some units failed repeatedly. Continue with `outlive replay --resume`.",
    });
    const begin = this.#step("Begin", TaskInput.fromObject({ "action.$": "$.action" }));
    const prepare = this.#step("Prepare", TaskInput.fromObject({ action: "prepare" }));
    const finish = this.#step(
      "Finish",
      TaskInput.fromObject({ action: "finish", "run.$": "$.run", "stage.$": "$.stage" }),
    );
    const units = this.#units(replayConcurrency);
    begin.next(new Choice(this, "IsBegun").when(outcome("begun"), prepare).otherwise(refused));
    prepare.next(new Choice(this, "IsPrepared").when(outcome("prepared"), units).otherwise(refused));
    units.next(finish);
    finish.next(
      new Choice(this, "IsFinished")
        .when(outcome("advanced"), prepare)
        .when(Condition.or(outcome("switched"), outcome("kept")), new Succeed(this, "Finished"))
        .when(outcome("paused"), finish)
        .when(outcome("incomplete"), incomplete)
        .when(outcome("unfinished"), unfinished)
        .otherwise(new Fail(this, "Overtaken", { error: "ReplayOvertaken", cause: "Another replay was started." })),
    );
    return begin;
  }

  /**
   * Runs the units, each in an execution of its own. The names of all units are in one state: 256 KiB at most (Step
   * Functions quotas), see list-units.ts. Units that failed do not stop the others.
   */
  #units(maxConcurrency: number): DistributedMap {
    const result = { selector: { "outcome.$": "$.Payload.outcome" }, path: "$.result" };
    const unit = new LambdaInvoke(this, "Unit", {
      lambdaFunction: this.function.live,
      payload: TaskInput.fromObject({ action: "unit", "run.$": "$.run", "unit.$": "$.unit" }),
      retryOnServiceExceptions: false,
      resultSelector: result.selector,
      resultPath: result.path,
      taskTimeout: Timeout.duration(TIMEOUT),
    });
    unit.addRetry(RETRY);
    unit.next(
      new Choice(this, "IsDone")
        .when(Condition.stringEquals("$.result.outcome", "paused"), unit)
        // The results of all units are in one state as well.
        .otherwise(new Succeed(this, "Done", { outputPath: JsonPath.DISCARD })),
    );
    return new DistributedMap(this, "Units", {
      label: UNITS,
      itemsPath: "$.units",
      itemSelector: { "run.$": "$.run", "unit.$": "$$.Map.Item.Value" },
      maxConcurrency,
      toleratedFailureCount: MANY_UNITS,
      resultPath: JsonPath.DISCARD,
    }).itemProcessor(unit);
  }

  #step(id: string, payload: TaskInput): LambdaInvoke {
    const step = new LambdaInvoke(this, id, {
      lambdaFunction: this.function.live,
      payload,
      retryOnServiceExceptions: false,
      outputPath: "$.Payload",
      taskTimeout: Timeout.duration(TIMEOUT),
    });
    step.addRetry(RETRY);
    return step;
  }
}

/** Whether a step reported this. */
function outcome(name: string): Condition {
  return Condition.stringEquals("$.outcome", name);
}

/** The policy that the CDK adds for a Distributed Map names the executions of the machine, and of its map. */
function acceptOwnExecutions(machine: StateMachine): void {
  const { defaultChild } = machine.node;
  if (!CfnElement.isCfnElement(defaultChild)) {
    throw new TypeError(`State machine ${machine.node.path} has no CloudFormation resource.`);
  }
  const name = `{"Fn::Select":[6,{"Fn::Split":[":",{"Ref":"${Stack.of(machine).getLogicalId(defaultChild)}"}]}]}`;
  const { partition, region, account } = Stack.of(machine);
  const executions = `${nagText(machine, `arn:${partition}:states:${region}:${account}`)}:execution:${name}`;
  for (const own of [":*", `/${UNITS}:*`]) {
    suppressNag(machine, `IAM5[Resource::${executions}${own}]`, "Executions are named when they start.");
  }
}
