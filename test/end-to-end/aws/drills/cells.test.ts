import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JobAnswer } from "../../../../src/explain/answer-document.ts";
import { clusterNamed } from "../../../support/facts/names.ts";
import { runOutlive } from "../../../support/running/run-outlive.ts";
import { createApiClient } from "../api-client.ts";
import { deployStack, type DeployedStack, speakTo } from "../deployed-stack.ts";
import { emulatorWanted } from "../emulator-wanted.ts";
import { poll } from "../poll.ts";
import { type RecordedCluster, recordedClusters, sealed } from "../recorded-clusters.ts";
import { createStackTools } from "../stack-tools.ts";

const wanted = emulatorWanted();
const PATIENCE = 900_000;
/** Nothing listens there: port 9 is "discard". */
const DOWN = "http://127.0.0.1:9/live";
/** A change of the registry takes effect within 10 s, and a silent cell rests for 10 s. */
const UNTIL_KNOWN = { patience: 400_000 };

/** Two stages in one emulator. The first has the registry. */
let eu: DeployedStack;
let us: DeployedStack;
let environment: Readonly<Record<string, string>>;
let recorded: RecordedCluster;
const started: DeployedStack[] = [];

beforeAll(async () => {
  if (wanted.outcome === "skip") return;
  const open = { disposable: "true", openMode: "true" };
  eu = await deployStack(wanted.name, { stage: "eu", ...open });
  started.push(eu);
  // The second stage goes to the emulator that the environment now names.
  speakTo(eu);
  us = await deployStack(wanted.name, { stage: "us", ...open });
  started.push(us);
  environment = { ...eu.environment, OUTLIVE_SERVER: eu.apiUrl };
  const found = (await recordedClusters()).find(({ cluster }) => cluster === "deadline");
  if (found === undefined) throw new Error("There is no recording deadline.");
  recorded = found;
  for (const [stack, name] of [
    [eu, "prod-eu"],
    [us, "prod-us"],
  ] as const) {
    const cluster = { ...recorded, cluster: clusterNamed(name) };
    await createStackTools(stack).send(cluster, sealed(cluster, Date.now()));
  }
}, 1_200_000);
afterAll(() => {
  for (const stack of started.toReversed()) stack.stop();
});

function outlive(...args: readonly string[]) {
  return runOutlive(args, { cwd: process.cwd(), env: environment });
}

async function change(...args: readonly string[]): Promise<void> {
  const { status, stderr } = await outlive("cells", ...args, "--stack", eu.stackName);
  expect(status, stderr).toBe(0);
}

async function jobs(): Promise<{ readonly status: number | null; readonly items: readonly JobAnswer[] }> {
  const { status, stdout } = await outlive("jobs", "-A", "--limit", "0", "-o", "json");
  return { status, items: status === 0 || status === 3 ? (JSON.parse(stdout) as { items: JobAnswer[] }).items : [] };
}

function countIn(items: readonly JobAnswer[], cluster: string): number {
  return items.filter((job) => job.cluster === cluster).length;
}

describe.skipIf(wanted.outcome === "skip")("one API over two stages", () => {
  it(
    "answers for both, and says which cell has a cluster",
    async () => {
      await change("add", "eu", "--self");
      await change("add", "us", "--url", us.apiUrl);
      await change("assign", "prod-eu", "eu");
      await change("assign", "prod-us", "us");
      const items = await poll(
        "the Jobs of both cells are listed",
        async () => {
          const listed = (await jobs()).items;
          const [inEu, inUs] = [countIn(listed, "prod-eu"), countIn(listed, "prod-us")];
          return inEu > 0 && inEu === inUs ? listed : undefined;
        },
        UNTIL_KNOWN,
      );
      const { stdout } = await outlive("clusters");
      expect(stdout).toMatch(/NAME\s+CELL/);
      expect(stdout).toMatch(/prod-us\s+us/);
      const api = createApiClient(eu.apiUrl);
      for (const job of items) expect(await api.job(job), `${job.cluster} ${job.name}`).toContain(job.uid);
      const summary = JSON.parse((await api.ask("/v1/summary")).text) as { readonly jobs: number };
      expect(summary.jobs).toBe(items.length);
      const changed = (await api.ask("/v1/changes?since=2026-01-01T00:00:00Z&limit=500")).text;
      for (const cluster of ["prod-eu", "prod-us"]) expect(changed).toContain(cluster);
      const [inUs] = items.filter(({ cluster }) => cluster === "prod-us");
      const waited = await outlive(
        "wait",
        "--for=finished",
        "--timeout=5s",
        `job/${inUs?.name}`,
        "-n",
        `${inUs?.namespace}`,
        "--cluster",
        "prod-us",
      );
      expect(waited.stdout + waited.stderr).toContain(`${inUs?.name}`);
    },
    PATIENCE,
  );

  it(
    "pages through both with a cursor, which another set of cells makes invalid",
    async () => {
      const api = createApiClient(eu.apiUrl);
      const all = (await jobs()).items.map(({ cluster, uid }) => `${cluster} ${uid}`);
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const { text } = await api.ask(`/v1/jobs?limit=1${cursor === undefined ? "" : `&cursor=${cursor}`}`);
        const page = JSON.parse(text) as { readonly items: JobAnswer[]; readonly nextCursor?: string };
        seen.push(...page.items.map((job) => `${job.cluster} ${job.uid}`));
        cursor = page.nextCursor ?? cursor;
        if (page.nextCursor === undefined) break;
      } while (cursor !== undefined);
      expect(seen).toEqual(all);
      await change("add", "ap", "--url", DOWN);
      await poll(
        "the cursor is refused",
        async () =>
          (await api.ask(`/v1/jobs?limit=1&cursor=${cursor}`)).text.includes("have changed") ? true : undefined,
        UNTIL_KNOWN,
      );
      await change("remove", "ap");
    },
    PATIENCE,
  );

  it(
    "refuses a cell that does not exist, and one that has clusters",
    async () => {
      for (const [args, reason] of [
        [["assign", "prod-us", "mars"], 'No cell is named "mars"'],
        [["remove", "us"], "prod-us"],
        [["add", "mars", "--url", "http://mars.example.org"], "is not the address"],
      ] as const) {
        const { status, stderr } = await outlive("cells", ...args, "--stack", eu.stackName);
        expect(status).toBe(2);
        expect(stderr).toContain(reason);
      }
    },
    PATIENCE,
  );

  it(
    "says what is missing while a cell is down, and answers about the other",
    async () => {
      await change("add", "us", "--url", DOWN);
      const partial = await poll(
        "the answer lacks cell us",
        async () => {
          const answered = await outlive("jobs", "-A");
          // An earlier set of cells, without one that was never there, may still be known.
          return answered.stderr.includes("these cells did not answer: us.") ? answered : undefined;
        },
        UNTIL_KNOWN,
      );
      expect(partial.status).toBe(3);
      expect(partial.stdout).toContain("deadline");
      const api = createApiClient(eu.apiUrl);
      const summary = JSON.parse((await api.ask("/v1/summary")).text) as Record<string, unknown>;
      expect(summary).toMatchObject({ complete: false, unavailable: [{ cell: "us", clusters: ["prod-us"] }] });
      expect((await api.ask("/v1/clusters/prod-us/namespaces/a/jobs/b")).status).toBe(503);
      expect((await api.ask("/v1/clusters/prod-eu/namespaces/a/jobs/b")).status).toBe(404);
      await change("add", "us", "--url", us.apiUrl);
      await poll(
        "cell us is back",
        async () => ((await outlive("jobs", "-A")).status === 0 ? true : undefined),
        UNTIL_KNOWN,
      );
    },
    PATIENCE,
  );

  it(
    "finds the earlier and the later Jobs of a cluster that moved, each once",
    async () => {
      const before = (await jobs()).items;
      await change("assign", "prod-us", "eu");
      const moved = { ...recorded, cluster: clusterNamed("prod-us") };
      // The exporter lists what the cluster still has to its new cell.
      await createStackTools(eu).send(moved, sealed(moved, Date.now()));
      await poll(
        "the new cell answers for prod-us",
        async () => ((await outlive("clusters")).stdout.match(/prod-us\s+eu/) ? true : undefined),
        UNTIL_KNOWN,
      );
      await poll(
        "each Job is listed once",
        async () => {
          const after = (await jobs()).items;
          const uids = new Set(after.map(({ cluster, uid }) => `${cluster} ${uid}`));
          return after.length === uids.size && after.length === before.length ? true : undefined;
        },
        UNTIL_KNOWN,
      );
      const summary = JSON.parse((await createApiClient(eu.apiUrl).ask("/v1/summary")).text) as Record<string, unknown>;
      expect(summary["countedTwice"]).toEqual(["prod-us"]);
    },
    PATIENCE,
  );
});
