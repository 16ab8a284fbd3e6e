import { addTextOptions, type TextFlags, textOptionsOf } from "../../src/host/command-line/text-options.ts";
import { type Command, Option } from "commander";
import { OpenStreams } from "../../src/http/streams/open-streams.ts";
import { count } from "../../src/job/text/sentence.ts";
import { asArgument } from "../../src/host/command-line/as-argument.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { isLoopback, type ListenAddress, listen, parseListen, STANDARD_LISTEN } from "../../src/host/server/listen.ts";
import { remark } from "../output/print-answer.ts";
import { addExamples } from "../../src/host/command-line/add-examples.ts";
import { maxSeriesOption } from "../options/metrics-options.ts";
import { type LogLinksFlag, logLinksOf, logLinksOption } from "../options/log-links-option.ts";
import { databaseOption } from "../options/query-options.ts";
import { reportFailure } from "../../src/host/command-line/report-failure.ts";
import type { Embedded } from "../../src/host/embedded/embedded-tracker.ts";
import { type AccessOptions, addAccessOptions, chooseAccess } from "../options/access-options.ts";
import { unfinishedCommands } from "../../src/upkeep/replay/unfinished-commands.ts";
import type { TextOptions } from "../../src/kubernetes/translate/translated.ts";
import { stopSignal } from "../../src/host/runtime/stop-signal.ts";
import { eventReasonsOption } from "../../src/host/command-line/event-reasons-option.ts";
import { watchedClusterOption } from "../../src/host/command-line/watched-cluster-option.ts";
import { parseRetention, requireRetentionAfterArchive } from "../retention/retention-option.ts";
import type { Deleted } from "../../src/adapters/sqlite/apply-retention.ts";
import type { ArchiveSchedule } from "../../src/host/embedded/archive-database.ts";
import type { ClusterWatch } from "../../src/host/embedded/watch-into.ts";
import type { Notifier } from "../../src/notify/outbox/run-notifier.ts";
import type { NotificationRules } from "../../src/notify/rules/rules.ts";
import { otlpOption, rulesOf, sendingText } from "../rules/serve-rules.ts";
import type { Access } from "../../src/http/access/access.ts";
import { OtherClusterError } from "../../src/kubernetes/connection/connection-error.ts";
import type { ClusterName } from "../../src/job/model/ids.ts";
import type { ObjectStore } from "../../src/ports/object-store.ts";
import type { EventReasons } from "../../src/kubernetes/translate/explaining-events.ts";
import type { ClusterConnection } from "../../src/kubernetes/connection/cluster-connection.ts";

interface ServeOptions extends AccessOptions, TextFlags, LogLinksFlag {
  readonly database: string;
  readonly listen: ListenAddress;
  readonly retention?: number;
  readonly archive?: string;
  readonly inCluster?: true;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly cluster: ClusterName;
  readonly eventReasons?: EventReasons;
  readonly metricsMaxSeries: number;
  readonly rules?: string;
  readonly otlp?: string;
}

export function define(command: Command): void {
  addClusterOptions(addAccessOptions(command.addOption(databaseOption())))
    .addOption(listenOption())
    .addOption(
      new Option("--retention <days>", "delete Jobs this many days (or hours: 36h) after they ended (default: never)")
        .env("OUTLIVE_RETENTION")
        .argParser(asArgument(parseRetention)),
    )
    .addOption(maxSeriesOption())
    .addOption(
      new Option("--archive <folder>", "archive each hour of the log as segments and Parquet files").env(
        "OUTLIVE_ARCHIVE",
      ),
    )
    .addOption(new Option("--rules <file>", "send notifications by the rules of this file").env("OUTLIVE_RULES"))
    .addOption(otlpOption())
    .addOption(logLinksOption())
    .addOption(watchedClusterOption())
    .addOption(eventReasonsOption());
  addTextOptions(command).action(serve);
  addExamples(command, [
    ["outlive serve --kubeconfig ~/.kube/config", "watch a cluster, and serve its Jobs on http://127.0.0.1:8080"],
    ["outlive serve --kubeconfig ~/.kube/config --rules rules.yaml", "send notifications by these rules, too"],
    ["outlive serve --in-cluster", "watch the cluster in which this Pod runs"],
    ["outlive serve --in-cluster --otlp http://otel-collector:4318", "send a trace of each run that is final"],
    ["outlive serve", "serve ./outlive.sqlite on http://127.0.0.1:8080"],
    ["outlive serve --archive ./archive", "also write each closed hour to an archive"],
    [
      "OUTLIVE_TOKEN=... outlive serve --listen 0.0.0.0:8080 --database /var/lib/outlive.sqlite",
      "serve other machines; readers need the token",
    ],
    [
      "outlive serve --listen 0.0.0.0:8080 --oidc-issuer https://issuer.example.org --oidc-audience outlive",
      'require tokens of this issuer; the claim "outlive" has the grants of a reader',
    ],
  ]);
}

/** Which cluster is watched. Without any of them, none. */
function addClusterOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--in-cluster", "watch the cluster in which this Pod runs, as its service account")
        .env("OUTLIVE_IN_CLUSTER")
        .conflicts(["kubeconfig", "context"]),
    )
    .addOption(new Option("--kubeconfig <file>", "watch the cluster of this kubeconfig"))
    .addOption(
      new Option("--context <name>", "watch the cluster of this context of the kubeconfig").env("OUTLIVE_CONTEXT"),
    );
}

function listenOption(): Option {
  return new Option("--listen <host:port>", "address to listen on; others than this machine need authentication")
    .env("OUTLIVE_LISTEN")
    .argParser(asArgument(parseListen))
    .default(parseListen(STANDARD_LISTEN), STANDARD_LISTEN);
}

async function serve(options: ServeOptions): Promise<void> {
  const access = await chooseAccess(options);
  refuseOpenAccess(access, options.listen);
  requireRetentionAfterArchive(options);
  const stop = stopSignal();
  const connection = await connectionOf(options);
  const texts = await textOptionsOf(options);
  const rules = await rulesOf(options);
  const notify = rules && { rules, now: Date.now };
  const { withDatabase } = await import("../../src/host/embedded/with-database.ts");
  const links = await logLinksOf(options);
  const { metricsMaxSeries: maxSeries } = options;
  const archive = await archiveOf(options);
  const { waitForRoom } = await import("../../src/host/server/wait-for-room.ts");
  if (!(await waitForRoom({ ...options, report: remark, stop }))) return;
  await withDatabase(options.database, { create: true, maxSeries, ...links, ...(notify && { notify }) }, (embedded) =>
    serveTracker({ embedded, archive, access, connection, texts, options, rules, stop }),
  );
}

function refuseOpenAccess(access: Access, listen: ListenAddress): void {
  if (access.kind !== "loopback" || isLoopback(listen)) return;
  throw new CommandFailure(
    2,
    `Cannot listen on ${listen.host} without a token: everyone who reaches it could read all Jobs. ` +
      "Set a token with --token or OUTLIVE_TOKEN, or listen on 127.0.0.1.",
  );
}

/** One run of the command. */
interface ServeRun {
  readonly embedded: Embedded;
  readonly archive: ObjectStore | undefined;
  readonly access: Access;
  readonly connection: ClusterConnection | undefined;
  readonly texts: Partial<TextOptions>;
  readonly options: ServeOptions;
  readonly rules: NotificationRules | undefined;
  readonly stop: Promise<NodeJS.Signals>;
}

async function serveTracker(run: ServeRun): Promise<void> {
  const { embedded, archive, access, options } = run;
  if (archive !== undefined) await eraseAgain(embedded, archive);
  for (const { text } of await unfinishedCommands(embedded.meta)) remark(`Warning: ${text}`);
  const [{ serverApi }, { withBuiltPage }, { trackerMetrics }] = await Promise.all([
    import("../../src/host/server/server-api.ts"),
    import("../../src/host/server/built-page.ts"),
    import("../../src/host/embedded/tracker-metrics.ts"),
  ]);
  const streams = new OpenStreams();
  const watching: Watching = {};
  const api = serverApi({
    stores: { ...embedded, ...(archive && { archive }) },
    access,
    onError: reportServerError,
    copy: () => embedded.streamCopy(),
    streams,
    intakeProblem: () => watching.watch?.problem(),
    serverMetrics: trackerMetrics(embedded, {
      streams,
      receivers: run.rules?.receivers.map(({ name }) => name) ?? [],
      watch: () => watching.watch,
    }),
  });
  const server = await listen(await withBuiltPage(api, access), options.listen);
  try {
    remark(
      `Serving ${options.database} on ${server.url}/. Open it in a browser, or query ${server.url}/v1/jobs. ` +
        `${server.url}/v1/openapi.json lists the routes. Press Ctrl-C to stop.`,
    );
    await watchUntilStopped(run, watching);
  } finally {
    streams.endAll();
    await server.close();
  }
}

/** A database that was restored from an older backup must not show what was erased since. */
async function eraseAgain(embedded: Embedded, archive: ObjectStore): Promise<void> {
  const [{ applyErasuresOf }, { erasurePorts }, { erasableArchive }] = await Promise.all([
    import("../erase/apply-erasures.ts"),
    import("../../src/host/embedded/erase-embedded.ts"),
    import("../../src/archive/write/erase-archive.ts"),
  ]);
  const applied = await applyErasuresOf({ ...erasurePorts(embedded), archive: erasableArchive(archive) });
  if (applied.length > 0) remark(`Applied ${count(applied.length, "erasure")} of the archive to this older database.`);
}

function reportServerError(error: Error): void {
  reportFailure(error, { stack: true });
}

/** The watch of the cluster, when it has begun. */
interface Watching {
  watch?: ClusterWatch;
}

/** Watches the cluster, if one is named, until a signal. Throws if the watch fails. */
async function watchUntilStopped(run: ServeRun, watching: Watching): Promise<void> {
  const { embedded, connection, options, rules, stop } = run;
  const notifier = rules && (await startNotifier(embedded, rules, options));
  const watch = connection && (await startWatch(run, connection));
  if (watch !== undefined) watching.watch = watch;
  const upkeep = await startUpkeep(run);
  try {
    const signal = await Promise.race([stop, ...(watch === undefined ? [] : [watch.ended])]);
    remark(`Stopping (${signal ?? "the watch ended"}).`);
  } catch (cause) {
    throw cause instanceof OtherClusterError ? otherCluster(options.cluster, cause) : cause;
  } finally {
    await upkeep.stop();
    await watch?.stop();
    await notifier?.stop();
  }
}

/** Applies the retention, sweeps, and archives, until it is stopped. */
async function startUpkeep(run: ServeRun): Promise<{ readonly stop: () => Promise<void> }> {
  const { embedded, archive } = run;
  const retention = forgetDaily(run);
  const sweeping = sweepEachMinute(embedded);
  embedded.countEarlierJobs().catch(reportBriefly);
  const archiving = archive && (await archiveHours(embedded, archive));
  return {
    stop: async () => {
      clearInterval(retention);
      clearInterval(sweeping);
      await archiving?.stop();
    },
  };
}

async function startNotifier(embedded: Embedded, rules: NotificationRules, options: ServeOptions): Promise<Notifier> {
  const { startDeliveries } = await import("../../src/host/embedded/start-deliveries.ts");
  remark(sendingText(rules, options.otlp));
  return startDeliveries(embedded, rules, remark);
}

function otherCluster(cluster: ClusterName, cause: OtherClusterError): CommandFailure {
  return new CommandFailure(
    2,
    `Cannot watch cluster ${cluster}: ${cause.message} Start "outlive serve" with another name in --cluster ` +
      "to watch this cluster, or with the kubeconfig of the earlier cluster.",
    { cause },
  );
}

/** Connects to the cluster, if one is named, before the server starts: an invalid kubeconfig fails the command. */
async function connectionOf({ inCluster, kubeconfig, context }: ServeOptions): Promise<ClusterConnection | undefined> {
  if (inCluster === undefined && kubeconfig === undefined && context === undefined) return undefined;
  const { connect, sourceOf } = await import("../../src/host/exporter/connect.ts");
  return connect(inCluster === true ? { kind: "inCluster" } : sourceOf(kubeconfig, context));
}

async function startWatch(
  { embedded, texts, options: { cluster, eventReasons } }: ServeRun,
  connection: ClusterConnection,
): Promise<ClusterWatch> {
  const { watchInto } = await import("../../src/host/embedded/watch-into.ts");
  remark(`Watching ${connection.server} as cluster ${cluster}.`);
  return watchInto({ embedded, connection, cluster, texts, eventReasons, report: remark });
}

const MINUTE_MILLIS = 60_000;
/** The time of each minute for rules about CronJobs. What was not reached comes first in the next minute. */
const WATCH_MILLIS = 20_000;

/** Whether less time has passed since now. */
function timeOf(milliseconds: number): () => boolean {
  const began = performance.now();
  return () => performance.now() - began < milliseconds;
}

function reportBriefly(error: unknown): void {
  reportFailure(error, { stack: false });
}

/** Finds changes that only time causes, such as a passed deadline or a silent Node. Sweeps do not overlap. */
function sweepEachMinute(embedded: Embedded): NodeJS.Timeout {
  let isSweeping = false;
  return setInterval(() => {
    if (isSweeping) return;
    isSweeping = true;
    embedded
      .sweep({ now: Date.now() })
      // Notifications do not depend on the counts.
      .then(() => embedded.countCronJobs(Date.now()).catch(reportBriefly))
      .then(() => embedded.watchSchedules({ hasTime: timeOf(WATCH_MILLIS) }))
      .catch(reportBriefly)
      .finally(() => {
        isSweeping = false;
      });
  }, MINUTE_MILLIS);
}

const DAY_MILLIS = 86_400_000;

/** Deletes expired Jobs, now and once a day. A failure is reported, and the next day tries again. */
function forgetDaily({ embedded, archive, options: { retention: days } }: ServeRun): NodeJS.Timeout {
  const forget = (): void => {
    embedded.forget({ days, archive, now: Date.now() }).then(reportDeleted, reportBriefly);
  };
  forget();
  return setInterval(forget, DAY_MILLIS);
}

function reportDeleted({ jobs, kept }: Deleted): void {
  if (jobs > 0) remark(`Deleted ${count(jobs, "Job")} after the end of their retention.`);
  if (kept.jobs === 0 && kept.days === 0) return;
  remark(
    `Kept ${count(kept.jobs, "Job")} and ${count(kept.days, "day")} of the log after the end of their retention: ` +
      "they are under a legal hold, or not archived yet.",
  );
}

/** Archives the hours that closed. A failure is reported, and the next run continues. */
async function archiveHours(embedded: Embedded, archive: ObjectStore): Promise<ArchiveSchedule> {
  const { scheduleArchive } = await import("../../src/host/embedded/archive-database.ts");
  return scheduleArchive(embedded, archive, (error) => reportFailure(error, { stack: false }));
}

async function archiveOf({ archive }: ServeOptions): Promise<ObjectStore | undefined> {
  if (archive === undefined) return undefined;
  const { openArchive } = await import("../archive/open-archive.ts");
  return openArchive(archive);
}
