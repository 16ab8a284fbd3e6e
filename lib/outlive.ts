import { Stack, Tags } from "aws-cdk-lib";
import type { RestApi } from "aws-cdk-lib/aws-apigateway";
import { type Metric, type MetricOptions, Stats } from "aws-cdk-lib/aws-cloudwatch";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import { Grant, type IGrantable, type IRole } from "aws-cdk-lib/aws-iam";
import type { IKey } from "aws-cdk-lib/aws-kms";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { ParameterTier, StringParameter } from "aws-cdk-lib/aws-ssm";
import { Construct } from "constructs";
import type { MetricName } from "../src/ports/deployment/metrics.ts";
import type { OptionalOutput, StageOutput } from "../src/ports/deployment/outputs.ts";
import { outputsParameter } from "../src/ports/deployment/parameter-names.ts";
import { contextOfProps } from "./context-of-props.ts";
import { InvalidSettingsError } from "./context-values.ts";
import type { OutliveProps } from "./outlive-props.ts";
import { type MonitoringFacade, monitorStage } from "./monitoring/monitor-stage.ts";
import { outliveMetric } from "./monitoring/outlive-metric.ts";
import { Alarms } from "./monitoring/alarms.ts";
import { Archive } from "./archive/archive.ts";
import { Retain } from "./archive/retain.ts";
import { Audit } from "./audit.ts";
import { AuditLogs } from "./audit-logs/audit-logs.ts";
import { Backup } from "./backup.ts";
import { Canary } from "./canary.ts";
import { concurrencyOf, tableCapacity } from "./capacity/capacity-settings.ts";
import { Count } from "./count.ts";
import { Dashboard } from "./monitoring/dashboard.ts";
import { encryptLogs } from "./encrypt-logs.ts";
import { Erasure } from "./erasure/erasure.ts";
import { EventLog } from "./event-log.ts";
import { HttpApi } from "./gateway/http-api.ts";
import { Ingest } from "./ingest.ts";
import { Notifications } from "./notify/notifications.ts";
import { acceptWildcard } from "./nag-suppression.ts";
import { Projection } from "./projection.ts";
import { Query } from "./query.ts";
import { Replay } from "./replay.ts";
import { registerReader, registerSender, type RegisteredPrincipal } from "./access/registrations.ts";
import { readSettings, type Settings } from "./settings.ts";
import type { StoragePolicy } from "./storage/storage-policy.ts";
import { Sweep } from "./sweep.ts";
import { TrialProjectors } from "./projectors/trial-projectors.ts";

/**
 * A stage of Outlive: the whole tracker in one account and region. Stages can share an account: only
 * the parameters below `/outlive/<stage>/`, the dashboard, the database and workgroup of an archive and the vault of
 * backups have names that follow from the stage or the path of the construct.
 *
 * Throws InvalidSettingsError for properties that contradict each other.
 */
export class Outlive extends Construct {
  /** The name of the stage, which `outlive --stage` takes. */
  readonly stage: string;
  readonly #settings: Settings;
  readonly #log: EventLog;
  readonly #projection: Projection;
  readonly #trial: TrialProjectors | undefined;
  readonly #ingest: Ingest;
  readonly #replay: Replay;
  readonly #sweep: Sweep;
  readonly #audit: Audit;
  readonly #auditLogs: AuditLogs | undefined;
  readonly #archive: Archive | undefined;
  readonly #retain: Retain | undefined;
  readonly #count: Count;
  readonly #query: Query;
  readonly #http: HttpApi;
  readonly #notifications: Notifications | undefined;
  readonly #erasure: Erasure | undefined;
  readonly #deadLetters: readonly Queue[];

  constructor(scope: Construct, id: string, props: OutliveProps = {}) {
    super(scope, id);
    const { alarmTopic, encryptionKey } = props;
    const settings = readSettings(contextOfProps(props));
    this.stage = settings.stage;
    refuseTwin(this);
    this.#settings = settings;
    const storage = storageOf(settings, encryptionKey);
    const expires = settings.archive === undefined ? "always" : "guarded";
    this.#log = new EventLog(this, "Log", { storage, expires, isErasable: settings.erasure });
    const logged = { ...settings, storage, expires, log: this.#log } as const;
    this.#projection = new Projection(this, "Projection", logged);
    const projected = { ...logged, projection: this.#projection };
    this.#trial = settings.keepProjectors && new TrialProjectors(this, "Trial", projected);
    this.#ingest = new Ingest(this, "In", projected);
    this.#replay = new Replay(this, "Replay", projected);
    this.#sweep = new Sweep(this, "Sweep", projected);
    this.#audit = new Audit(this, "Audit", { ...projected, trial: this.#trial });
    const { archive, auditLogs } = settings;
    this.#auditLogs =
      auditLogs && new AuditLogs(this, "AuditLogs", { ...projected, ...auditLogs, ingest: this.#ingest });
    if (archive !== undefined) {
      this.#archive = new Archive(this, "Archive", { ...projected, archive, isErasable: settings.erasure });
      this.#retain = new Retain(this, "Retain", projected);
    }
    this.#notifications =
      settings.notifications && new Notifications(this, "Notify", { ...projected, ...settings.notifications });
    this.#count = new Count(this, "Count", projected);
    this.#query = new Query(this, "Query", projected);
    this.#openArchive();
    const signed = settings.readers.kind === "iam";
    this.#http = new HttpApi(this, "Http", { ...settings, ...this.#query.functions, signed });
    this.#deadLetters = this.#deadLetterQueues();
    this.#erasure = settings.erasure ? this.#letErase(settings, storage) : undefined;
    this.#operate(alarmTopic);
    this.#protect(settings, storage);
    this.#describe(encryptionKey);
    Tags.of(this).add("outlive:stage", settings.stage);
  }

  /** Receives the segments of exporters. */
  get queue(): Queue {
    return this.#ingest.segments.queue;
  }

  /** Answers queries, and serves the page. */
  get api(): RestApi {
    return this.#http.api;
  }

  /** The tables of the stage. Only its own functions write them. */
  get tables(): OutliveTables {
    const { jobsA, jobsB, runsA, runsB, meta } = this.#projection;
    return { log: this.#log.table, jobs: [jobsA, jobsB], runs: [runsA, runsB], records: meta };
  }

  /** What people and programs outside of the stack need. */
  get addresses(): OutliveAddresses {
    const { api, queue } = this;
    return { ApiUrl: api.url, PageUrl: api.url, QueueUrl: queue.queueUrl, QueueArn: queue.queueArn };
  }

  /**
   * Lets a principal send segments. What it sends is set aside until it is registered for a cluster
   * ({@link registerCluster}, `outlive clusters register`).
   */
  grantSend(grantee: IGrantable): Grant {
    return this.#ingest.grantSend(grantee);
  }

  /**
   * Registers a principal as a sender of a cluster, and lets a role send. A principal sends for one cluster; a cluster
   * may have several. It takes effect within a minute of the deployment.
   */
  registerCluster(cluster: string, sender: RegisteredPrincipal): void {
    registerSender(this, { stage: this.stage, cluster, principal: sender });
    if (sender.role !== undefined) this.grantSend(sender.role);
  }

  /**
   * Lets an IAM principal read: `CLUSTER/NAMESPACE`, `CLUSTER/*` or `*`. A role also gets the permission to call the
   * API. Only for `readers: { kind: "iam" }`, the default.
   */
  registerReader(reader: RegisteredPrincipal, grants: readonly string[]): void {
    if (this.#settings.readers.kind !== "iam") throw new InvalidSettingsError(NO_IAM_READERS);
    registerReader(this, { stage: this.stage, grants, principal: reader });
    if (reader.role !== undefined) grantInvoke(reader.role, this.api);
  }

  /** A metric that the stage publishes, by its name in docs/metrics.md. */
  metric(name: MetricName, options: MetricOptions = {}): Metric {
    return outliveMetric(name, { stage: this.stage }).with(options);
  }

  /** Jobs that failed. */
  metricJobsFailed(options?: MetricOptions): Metric {
    return this.metric("JobsFailed", options);
  }

  /** Jobs that completed. */
  metricJobsComplete(options?: MetricOptions): Metric {
    return this.metric("JobsComplete", options);
  }

  /** Runs of CronJobs that did not take place. */
  metricMissedRuns(options?: MetricOptions): Metric {
    return this.metric("MissedRuns", options);
  }

  /** Findings that were made. */
  metricNewFindings(options?: MetricOptions): Metric {
    return this.metric("NewFindings", options);
  }

  /** Seconds that Pods ran although their Job needed no more. */
  metricWastedSeconds(options?: MetricOptions): Metric {
    return this.metric("WastedSeconds", options);
  }

  /** Messages of exporters that were not ingested, because their sender is not registered, or they are invalid. */
  metricSetAside(options?: MetricOptions): Metric {
    return this.metric("SetAsideSegments", options);
  }

  /** The age of the oldest message of exporters, in seconds. */
  metricQueueAge(options?: MetricOptions): Metric {
    return this.queue.metricApproximateAgeOfOldestMessage(options);
  }

  /** How far the projection is behind the log, in milliseconds. */
  metricProjectionLag(options?: MetricOptions): Metric {
    return this.#projection.project.lambda.metric("IteratorAge", { statistic: Stats.MAXIMUM, ...options });
  }

  /** Adds the stage to a dashboard of cdk-monitoring-constructs. */
  monitor(facade: MonitoringFacade): void {
    monitorStage(facade, {
      stage: this.stage,
      queue: this.queue,
      deadLetters: this.#deadLetters,
      functions: this.#shownFunctions(),
      tables: Object.values(this.tables).flat(),
      api: this.api,
      replay: this.#replay.machine,
    });
  }

  #protect({ backup }: Settings, { key }: StoragePolicy): void {
    if (backup.backupDays > 0) {
      new Backup(this, "Backup", { ...backup, tables: [this.#log.table, this.#projection.meta], key });
    }
    if (key !== undefined) encryptLogs(this, key);
  }

  /** These functions read what has left the tables. */
  #openArchive(): void {
    const readers = [this.#query.function, this.#projection.refold, this.#replay.function, this.#audit.function];
    for (const reader of readers) this.#archive?.open(reader);
    if (this.#trial !== undefined) this.#archive?.open(this.#trial.refold);
  }

  #letErase({ stage }: Settings, storage: StoragePolicy): Erasure {
    return new Erasure(this, "Erasure", {
      stage,
      storage,
      log: this.#log,
      projection: this.#projection,
      setAside: this.#ingest.setAside.bucket,
      partialStates: this.#replay.partialStates.bucket,
      deadLetters: this.#ingest.segments.deadLetters,
      archive: this.#archive,
    });
  }

  #operate(alarmTopic: ITopic | undefined): void {
    this.#raiseAlarms(alarmTopic);
    if (this.#settings.canary) this.#tryNewVersions();
  }

  #tryNewVersions(): void {
    const functions = { Query: this.#query.function, Ingest: this.#ingest.function };
    new Canary(this, "Canary", { functions, api: this.#http.api });
  }

  #deadLetterQueues(): readonly Queue[] {
    const notifications = this.#notifications;
    const more = [...(notifications ? [notifications] : []), ...(this.#auditLogs ? [this.#auditLogs.retries] : [])];
    return [this.#ingest.segments, this.#projection.refolds, ...more].map(({ deadLetters }) => deadLetters);
  }

  /** Those that every stage has. */
  #functions(): readonly LambdaFunction[] {
    const { project, refold } = this.#projection;
    const { query, acknowledge, page } = this.#query.functions;
    const writers = [this.#ingest.function, project, refold, this.#replay.function];
    const scheduled = [this.#sweep, this.#audit, this.#count].map((each) => each.function);
    return [...writers, ...scheduled, query, acknowledge, page].map(({ lambda }) => lambda);
  }

  /** The same, and that of the archive. */
  #shownFunctions(): readonly LambdaFunction[] {
    return [...this.#functions(), ...(this.#archive === undefined ? [] : [this.#archive.function.lambda])];
  }

  #raiseAlarms(topic: ITopic | undefined): void {
    const { stage, capacity, metrics } = this.#settings;
    const { project, jobsA, jobsB, runsA, runsB, meta } = this.#projection;
    const notifications = this.#notifications;
    const monitored = {
      stage,
      capacity,
      segments: this.queue,
      deadLetters: this.#deadLetters,
      replay: this.#replay.machine,
      project: project.lambda,
      count: this.#count.function.lambda,
      functions: this.#functions(),
      log: this.#log.table,
      meta,
      jobTables: [jobsA, jobsB],
      runTables: [runsA, runsB],
      api: this.api,
    };
    new Alarms(this, "Alarms", {
      ...monitored,
      ...(this.#archive && { archive: this.#archive.function.lambda }),
      hasJobAlarms: metrics.jobAlarms,
      ...(topic !== undefined && { topic }),
      ...(this.#auditLogs && { auditLogs: this.#auditLogs.function.lambda }),
      ...(this.#trial && { trial: this.#trial.monitored }),
      ...(notifications && {
        notifications: { notify: notifications.notify.lambda, deliver: notifications.deliver.lambda },
      }),
    });
    const functions = this.#shownFunctions();
    new Dashboard(this, "Dashboard", { ...monitored, functions, hasJobMetrics: metrics.jobMetrics !== "none" });
  }

  /** What the parts need that a stage has only with some settings. */
  #optionalConcurrency(): number {
    const archiving = this.#archive === undefined ? 0 : 2;
    const parts = [this.#notifications, this.#auditLogs, this.#trial];
    return parts.reduce((sum, part) => sum + (part?.concurrency ?? 0), archiving);
  }

  /** Writes the parameter by which commands find the stage. */
  #describe(key: IKey | undefined): void {
    const { capacity, readers } = this.#settings;
    const { queue, deadLetters } = this.#ingest.segments;
    const { api } = this.#http;
    const outputs: Readonly<Record<Exclude<StageOutput, OptionalOutput>, string>> &
      Readonly<Partial<Record<OptionalOutput, string>>> = {
      QueueUrl: queue.queueUrl,
      QueueArn: queue.queueArn,
      DlqUrl: deadLetters.queueUrl,
      ApiUrl: api.url,
      RestApiId: api.restApiId,
      PageUrl: api.url,
      LogTable: this.#log.table.tableName,
      JobsTableA: this.#projection.jobsA.tableName,
      JobsTableB: this.#projection.jobsB.tableName,
      RunsTableA: this.#projection.runsA.tableName,
      RunsTableB: this.#projection.runsB.tableName,
      MetaTable: this.#projection.meta.tableName,
      Readers: readers.kind,
      IngestFunction: this.#ingest.function.live.functionName,
      RedriveMapping: this.#ingest.redrive.eventSourceMappingId,
      AuditFunction: this.#audit.function.live.functionName,
      ReplayFunction: this.#replay.function.live.functionName,
      ReplayMachine: this.#replay.machine.stateMachineArn,
      CountFunction: this.#count.function.live.functionName,
      ProjectorVersions: this.#projection.projectorVersions,
      ConcurrencyNeeded: `${concurrencyOf(capacity) + this.#optionalConcurrency()}`,
      ...(this.#archive !== undefined && archiveOutputs(this.#archive)),
      ...(this.#retain !== undefined && { RetainFunction: this.#retain.function.live.functionName }),
      ...this.#erasure?.outputs,
      ...(key !== undefined && { KeyArn: key.keyArn }),
    };
    new StringParameter(this, "Outputs", {
      description: "What Outlive's stage consists of: commands find it by this parameter",
      parameterName: outputsParameter(this.stage),
      stringValue: Stack.of(this).toJsonString(outputs),
      // A standard parameter has at most 4 KB, which long names of stacks and resources can exceed.
      tier: ParameterTier.INTELLIGENT_TIERING,
    });
  }
}

/** The tables of a stage. */
export interface OutliveTables {
  /** The append-only log. */
  readonly log: Table;
  /** Both projections of Jobs. */
  readonly jobs: readonly [Table, Table];
  /** Both projections of runs. */
  readonly runs: readonly [Table, Table];
  /** Small records: clusters, namespaces, gaps, positions. */
  readonly records: Table;
}

/** The addresses of a stage. */
export interface OutliveAddresses {
  readonly ApiUrl: string;
  readonly PageUrl: string;
  /** What an exporter sends to. */
  readonly QueueUrl: string;
  readonly QueueArn: string;
}

/** Both would write the same parameters, and fail only when they are deployed. */
function refuseTwin(outlive: Outlive): void {
  const others = Stack.of(outlive).node.findAll();
  const twin = others.find((each) => each instanceof Outlive && each !== outlive && each.stage === outlive.stage);
  if (twin === undefined) return;
  throw new InvalidSettingsError(
    `Stage ${outlive.stage} is in this stack twice: ${twin.node.path} and ${outlive.node.path}. Give one another name.`,
  );
}

const NO_IAM_READERS =
  'Only a stage with readers { kind: "iam" } has registered readers. Readers of an issuer have grants in their tokens.';

function storageOf({ disposable, capacity, storage }: Settings, key: IKey | undefined): StoragePolicy {
  return { ...storage, ...tableCapacity(capacity), disposable, ...(key !== undefined && { key }) };
}

function grantInvoke(role: IRole, api: RestApi): void {
  const arn = api.arnForExecuteApi("*", "/*", api.deploymentStage.stageName);
  Grant.addToPrincipal({ grantee: role, actions: ["execute-api:Invoke"], resourceArns: [arn] });
  acceptWildcard(role, arn, "A reader may call every route: what it sees follows from its grants.");
}

function archiveOutputs({ bucket, function: { live }, tables: { database, workGroup } }: Archive) {
  return {
    ArchiveBucket: bucket.bucketName,
    ArchiveFunction: live.functionName,
    ArchiveDatabase: database,
    ArchiveWorkGroup: workGroup,
  };
}
