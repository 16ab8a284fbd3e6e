import { CfnOutput, Stack, type StackProps, Tags } from "aws-cdk-lib";
import { Key } from "aws-cdk-lib/aws-kms";
import type { Construct } from "constructs";
import type { OptionalOutput, StackOutput } from "../src/ports/deployment/outputs.ts";
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
import { HttpApi } from "./http-api.ts";
import { Ingest } from "./ingest.ts";
import { Notifications } from "./notify/notifications.ts";
import { Projection } from "./projection.ts";
import { Query } from "./query.ts";
import { Replay } from "./replay.ts";
import type { Settings } from "./settings.ts";
import { removalPolicyOf, type StoragePolicy } from "./storage-policy.ts";
import { Sweep } from "./sweep.ts";
import { TrialProjectors } from "./projectors/trial-projectors.ts";

export interface OutliveStackProps extends StackProps {
  readonly settings: Settings;
}

/** The whole tracker in one account and region. Stages can share an account: no resource has a fixed physical name. */
export class OutliveStack extends Stack {
  /** The key of the data and the logs. With AWS owned keys, there is none. */
  #key: Key | undefined;
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

  constructor(scope: Construct, id: string, props: OutliveStackProps) {
    const { settings, ...stackProps } = props;
    super(scope, id, { description: "Outlive: Job status that outlives its Pods", ...stackProps });
    const storage = this.#storage(settings);
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
    this.#http = new HttpApi(this, "Http", {
      ...settings,
      query: this.#query.function,
      page: this.#query.page,
      signed: settings.readers.kind === "iam",
    });
    this.#monitor(settings);
    if (settings.canary) this.#tryNewVersions();
    if (settings.backup.backupDays > 0) this.#backUp(settings, storage);
    if (settings.erasure) this.#letErase(settings, storage);
    if (this.#key !== undefined) encryptLogs(this, this.#key);
    this.#writeOutputs(settings, storage);
    Tags.of(this).add("outlive:stage", settings.stage);
  }

  #storage({ disposable, encryption, capacity, storage }: Settings): StoragePolicy {
    const policy = { ...storage, ...tableCapacity(capacity), disposable };
    if (encryption === "aws") return policy;
    const removalPolicy = removalPolicyOf({ disposable });
    this.#key = new Key(this, "Key", { enableKeyRotation: true, removalPolicy });
    return { ...policy, key: this.#key };
  }

  #backUp({ backup }: Settings, { key }: StoragePolicy): void {
    new Backup(this, "Backup", { ...backup, tables: [this.#log.table, this.#projection.meta], key });
  }

  /** These functions read what has left the tables. */
  #openArchive(): void {
    const readers = [this.#query.function, this.#projection.refold, this.#replay.function, this.#audit.function];
    for (const reader of readers) this.#archive?.open(reader);
    if (this.#trial !== undefined) this.#archive?.open(this.#trial.refold);
  }

  #letErase({ stage }: Settings, storage: StoragePolicy): void {
    new Erasure(this, "Erasure", {
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

  #tryNewVersions(): void {
    const functions = { Query: this.#query.function, Ingest: this.#ingest.function };
    new Canary(this, "Canary", { functions, api: this.#http.api });
  }

  #monitor({ stage, alarmEmail, capacity, metrics }: Settings): void {
    const { project, refold, jobsA, jobsB, runsA, runsB, meta, refolds } = this.#projection;
    const { function: query, page } = this.#query;
    const notifications = this.#notifications;
    const more = [...(notifications ? [notifications] : []), ...(this.#auditLogs ? [this.#auditLogs.retries] : [])];
    const writers = [this.#ingest.function, project, refold, this.#replay.function];
    const archive = this.#archive === undefined ? [] : [this.#archive];
    const scheduled = [this.#sweep, this.#audit, this.#count, ...archive].map((each) => each.function);
    const monitored = {
      stage,
      capacity,
      segments: this.#ingest.segments.queue,
      deadLetters: [this.#ingest.segments, refolds, ...more].map(({ deadLetters }) => deadLetters),
      replay: this.#replay.machine,
      project: project.lambda,
      count: this.#count.function.lambda,
      functions: [...writers, ...scheduled, query, page].map(({ lambda }) => lambda),
      log: this.#log.table,
      meta,
      jobTables: [jobsA, jobsB],
      runTables: [runsA, runsB],
      api: this.#http.api,
    };
    new Alarms(this, "Alarms", {
      ...monitored,
      isArchived: this.#archive !== undefined,
      hasJobAlarms: metrics.jobAlarms,
      ...(alarmEmail !== undefined && { email: alarmEmail }),
      ...(this.#auditLogs && { auditLogs: this.#auditLogs.function.lambda }),
      ...(this.#trial && { trial: this.#trial.monitored }),
      ...(notifications && {
        notifications: { notify: notifications.notify.lambda, deliver: notifications.deliver.lambda },
      }),
    });
    new Dashboard(this, "Dashboard", { ...monitored, hasJobMetrics: metrics.jobMetrics !== "none" });
  }

  /** What the parts need that a stage has only with some settings. */
  #optionalConcurrency(): number {
    const archiving = this.#archive === undefined ? 0 : 2;
    const parts = [this.#notifications, this.#auditLogs, this.#trial];
    return parts.reduce((sum, part) => sum + (part?.concurrency ?? 0), archiving);
  }

  #writeOutputs({ capacity }: Settings, { key }: StoragePolicy): void {
    const { queue, deadLetters } = this.#ingest.segments;
    const { api } = this.#http;
    const outputs: Readonly<Record<Exclude<StackOutput, OptionalOutput>, string>> &
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
      ...(key !== undefined && { KeyArn: key.keyArn }),
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }
}

function archiveOutputs({ bucket, function: { live }, tables: { database, workGroup } }: Archive) {
  return {
    ArchiveBucket: bucket.bucketName,
    ArchiveFunction: live.functionName,
    ArchiveDatabase: database,
    ArchiveWorkGroup: workGroup,
  };
}
