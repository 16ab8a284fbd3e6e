import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hourBegin, hourOf } from "../../../src/archive/layout/archive-hour.ts";
import { LEAST_LOG_DAYS } from "../../../src/ports/deployment/retention.ts";
import type { ApiClient as DatabaseClient } from "../../../src/host/client/api-client.ts";
import { databaseClient } from "../../../src/host/embedded/in-process-client.ts";
import { createS3Client } from "../../../src/adapters/s3/s3-client.ts";
import { createS3Objects } from "../../../src/adapters/s3/s3-objects.ts";
import { describeObjectStore } from "../../contract/describe-object-store.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { type ApiClient, jobPath, type JobPlace } from "./api-client.ts";
import type { DeployedStack } from "./deployed-stack.ts";
import { startFailingProxy } from "./failing-proxy.ts";
import { poll } from "./poll.ts";
import { foldCluster, type RecordedCluster, sealed } from "./recorded-clusters.ts";
import type { StackTools } from "./stack-tools.ts";

export interface ArchivedStage {
  readonly stack: DeployedStack;
  readonly tools: StackTools;
  readonly api: ApiClient;
}

/**
 * Archives hours of a deployed stage whose archive is empty, and restores them. The recorded clusters arrive in hours
 * that have closed, under other names.
 */
export function describeArchive(open: () => ArchivedStage, recorded: readonly RecordedCluster[]): void {
  const clusters = recorded.map((each) => ({ ...each, cluster: clusterNamed(`archived-${each.cluster}`) }));
  const short = { ...recorded[0], cluster: clusterNamed("short-log") } as RecordedCluster;
  let folder: string;
  let stage: ArchivedStage;

  beforeAll(async () => {
    stage = open();
    folder = mkdtempSync(join(tmpdir(), "outlive-archive-"));
    await fillLog(stage, clusters, short);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  describeObjectStore("its bucket", () => {
    const { ArchiveBucket: bucket } = stage.stack.outputs;
    const client = createS3Client({ endpoint: stage.stack.emulator.endpoint });
    return createS3Objects(client, { bucket, prefix: `contract/${Math.random()}` });
  });

  it("archives nothing while S3 refuses requests, and continues, whenever its function is killed", async () =>
    continuesAfterRefusals(stage));

  it("has an archive without problems, by the name of the stack and of the bucket", async () =>
    hasNoProblems(stage, clusters));

  it("is restored from its archive alone, with the same answers byte for byte", async () =>
    isRestored(stage, clusters, folder));

  it("answers about Jobs whose state has expired as before, from its archive", async () =>
    answersExpired(stage, clusters));

  it("keeps the log until it is archived, and then answers, audits and rebuilds from the archive", async () =>
    losesExpiredLog(stage, short));

  it("lets nothing expire while its archive is behind", async () => suspendsExpiry(stage));
}

async function fillLog(
  { tools }: ArchivedStage,
  clusters: readonly RecordedCluster[],
  short: RecordedCluster,
): Promise<void> {
  // Packs that have expired before they are archived, in an hour that is read from the archive then.
  const expiredAt = hourBegin(hourOf(Date.now()) - LEAST_LOG_DAYS * 24 - 2) + 1_000;
  await tools.appendAt(sealed(short, expiredAt - 500), expiredAt, 1 / 24);
  for (const [index, cluster] of clusters.entries()) {
    // Two clusters in each hour, so that files and tables have more than one.
    const arrivedAt = hourBegin(hourOf(Date.now()) - 3 + (index % 2)) + 1_000;
    await tools.appendAt(sealed(cluster, arrivedAt - 500), arrivedAt);
  }
}

const DAY = 86_400_000;

/** The log loses its expired packs, and the stage answers as before, also after a rebuild. */
async function losesExpiredLog({ tools, api }: ArchivedStage, short: RecordedCluster): Promise<void> {
  const { jobs } = await foldCluster(short);
  const before = await askAll(api, jobs);
  expect(before.filter(({ warning }) => warning !== null)).toEqual([]);
  const packs = await tools.logged();
  expect(await tools.retain()).toMatchObject({ mayExpire: true });
  expect(await tools.logExpiry()).toBe("ENABLED");
  await poll("the expired packs are deleted", async () => ((await tools.logged()) < packs ? true : undefined));
  const after = await askAll(api, jobs);
  expect(after.map(({ text }) => text)).toEqual(before.map(({ text }) => text));
  expect(after.some(({ warning }) => warning?.includes("no longer in the log"))).toBe(true);
  await tools.replay();
  expect((await askAll(api, jobs)).map(({ text }) => text)).toEqual(before.map(({ text }) => text));
  expect(await tools.audit()).toMatchObject({ unapplied: 0 });
}

/** Nothing expires while the archive is behind. */
async function suspendsExpiry({ tools }: ArchivedStage): Promise<void> {
  const verified = await tools.setVerified(Date.now() - DAY);
  expect(await tools.retain()).toMatchObject({ mayExpire: false });
  expect(await tools.logExpiry()).toBe("DISABLED");
  await tools.setVerified(verified);
  expect(await tools.retain()).toMatchObject({ mayExpire: true });
  expect(await tools.logExpiry()).toBe("ENABLED");
}

async function continuesAfterRefusals({ tools, stack }: ArchivedStage): Promise<void> {
  const proxy = await startFailingProxy(stack.emulator.endpoint);
  try {
    await tools.redirectArchive(proxy.url);
    proxy.fail();
    expect(JSON.stringify(await tools.archive())).toContain("cannot be reached");
    expect(proxy.refused).toBeGreaterThan(0);
    // Nothing is verified, so that nothing expires.
    expect(await tools.retain()).toMatchObject({ mayExpire: false });
    expect(await tools.logExpiry()).toBe("DISABLED");
    proxy.recover();
    const running = tools.archive();
    tools.killFunctions();
    await running;
    await poll("the closed hours are archived", async () => (isArchived(await tools.archive()) ? true : undefined));
  } finally {
    proxy.stop();
    await tools.redirectArchive(stack.emulator.endpoint);
  }
}

async function hasNoProblems({ tools, stack }: ArchivedStage, clusters: readonly RecordedCluster[]): Promise<void> {
  const listed = await tools.outlive(["archive", "ls", "--stage", stack.stage, "-o", "json"]);
  const { items } = JSON.parse(listed.stdout) as { items: { counts: { segments: number } }[] };
  expect(items.length).toBeGreaterThan(1);
  const segments = clusters.reduce((sum, each) => sum + sealed(each, 0).length, 0);
  expect(items.reduce((sum, { counts }) => sum + counts.segments, 0)).toBeGreaterThanOrEqual(segments);
  for (const name of [["--stage", stack.stage], [`s3://${stack.outputs.ArchiveBucket}/archive`]]) {
    const { status, stderr } = await tools.outlive(["archive", "verify", ...name]);
    expect([status, stderr]).toEqual([0, expect.stringContaining("no problems")]);
  }
}

/** Parts of the answer about a Job; empty is the Job itself. */
const PARTS = ["", "/why", "/pods", "/history", "/indexes"] as const;

async function answersExpired(
  { tools, api, stack }: ArchivedStage,
  clusters: readonly RecordedCluster[],
): Promise<void> {
  const folded = await Promise.all(clusters.map(foldCluster));
  // Jobs that never ended have no row in the archive, and do not expire.
  const jobs = folded.flatMap((cluster) => cluster.jobs).filter(({ verdict }) => verdict.final);
  expect(jobs.length).toBeGreaterThan(0);
  const before = await askAll(api, jobs);
  expect(before.filter(({ warning }) => warning !== null)).toEqual([]);
  await tools.expireStates(jobs);
  const after = await askAll(api, jobs);
  expect(after.map(({ text }) => text)).toEqual(before.map(({ text }) => text));
  expect(after.every(({ warning }) => warning?.includes("The state of the Job has expired"))).toBe(true);
  const [first] = jobs;
  const commanded = ["get", `job/${first?.name}`, "-n", first?.namespace ?? "", "--cluster", first?.cluster ?? ""];
  const { status, stdout } = await tools.outlive([...commanded, "-o", "json", "--server", stack.apiUrl]);
  expect([status, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ source: "archive", uid: first?.uid })]);
  expect(await api.ask(jobPath({ ...first, name: "never-was" } as JobPlace))).toMatchObject({ status: 404 });
}

async function askAll(api: ApiClient, jobs: readonly JobPlace[]) {
  const answers: { readonly text: string; readonly warning: string | null }[] = [];
  for (const job of jobs) {
    for (const part of PARTS) {
      const { status, text, headers } = await api.ask(`${jobPath(job)}${part}?uid=${job.uid}`);
      expect([status, job.name, part]).toEqual([200, job.name, part]);
      answers.push({ text: text.replace(',"source":"archive"', ""), warning: headers.get("warning") });
    }
  }
  return answers;
}

async function isRestored(
  { tools, stack, api }: ArchivedStage,
  clusters: readonly RecordedCluster[],
  folder: string,
): Promise<void> {
  const database = join(folder, "restored.sqlite");
  const imported = await tools.outlive(["archive", "import", "--stage", stack.stage, "--database", database]);
  expect([imported.status, imported.stderr]).toEqual([0, expect.stringContaining("Imported")]);
  const restored = databaseClient(database);
  for (const cluster of clusters) await answersAreEqual(cluster, api, restored);
  await restored.close();
}

/** An error has no `through`: the projection was behind, or the process was killed. */
export function isArchived(report: unknown): boolean {
  if (typeof report !== "object" || report === null || !("through" in report)) return false;
  return Number(report.through) >= hourOf(Date.now() - 6 * 60_000) - 1;
}

async function answersAreEqual(cluster: RecordedCluster, api: ApiClient, restored: DatabaseClient): Promise<void> {
  const { jobs } = await foldCluster(cluster);
  expect(jobs.length).toBeGreaterThan(0);
  for (const job of jobs) {
    const response = await restored.request(`${jobPath(job)}?uid=${job.uid}`);
    expect(await response.text()).toBe(await api.job(job));
  }
}
