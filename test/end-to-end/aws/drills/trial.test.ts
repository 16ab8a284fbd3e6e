import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clusterNamed } from "../../../support/facts/names.ts";
import { changedRelease, type SourceChange } from "../../../support/releases/changed-release.ts";
import { type ApiClient, createApiClient, jobPath } from "../api-client.ts";
import { type DeployedStack, deployStack, speakTo, TRIAL, upgradeStack } from "../deployed-stack.ts";
import { emulatorWanted } from "../emulator-wanted.ts";
import { poll } from "../poll.ts";
import { foldCluster, type RecordedCluster, recordedClusters, sealed } from "../recorded-clusters.ts";
import { createStackTools, type StackTools } from "../stack-tools.ts";

const wanted = emulatorWanted();
/** There and back, and there again. */
const SWITCHES = 5;
const LANES = 3;

let deployed: DeployedStack | undefined;
let stack: DeployedStack;
let api: ApiClient;
let tools: StackTools;
let recorded: RecordedCluster;
/** The clusters whose recording has arrived. */
const arrived: RecordedCluster[] = [];

beforeAll(async () => {
  if (wanted.outcome === "skip") return;
  const [found] = (await recordedClusters()).filter(({ cluster }) => cluster === "deadline");
  if (found === undefined) throw new Error("There is no recording deadline.");
  recorded = found;
  deployed = stack = await deployStack(wanted.name);
  speakTo(stack);
  api = createApiClient(stack.apiUrl);
  tools = createStackTools(stack);
  await arrives(recorded);
});
afterAll(() => deployed?.stop());

/** Sends the recording, and resolves when each of its Jobs has its verdict. */
async function arrives(cluster: RecordedCluster): Promise<void> {
  await tools.send(cluster, sealed(cluster, Date.now()));
  arrived.push(cluster);
  const { jobs } = await foldCluster(cluster);
  await poll(`${cluster.cluster} is projected`, async () => {
    const texts = await Promise.all(jobs.map((job) => api.job(job)));
    const isEqual = texts.every((text, index) => text?.includes(`"state":"${jobs[index]?.verdict.state ?? ""}"`));
    return isEqual ? true : undefined;
  });
}

async function succeeds(...args: readonly string[]): Promise<string> {
  const { status, stderr } = await tools.outlive([...args, "--stage", stack.stage]);
  expect([args.join(" "), status, stderr]).toEqual([args.join(" "), 0, expect.any(String)]);
  return stderr;
}

function liveIn(pointer = "{}"): unknown {
  return (JSON.parse(pointer) as { readonly live?: string }).live;
}

interface Asked {
  readonly answers: number;
  readonly unexpected: readonly string[];
}

/** Asks about the Jobs, one after the other, until `until` ends. */
async function askUntil(
  until: Promise<unknown>,
  expected: ReadonlyMap<string, string>,
  clients = LANES,
): Promise<Asked> {
  const asking = new AbortController();
  const over = until.finally(() => asking.abort());
  let answers = 0;
  const unexpected: string[] = [];
  const lanes = Array.from({ length: clients }, async () => {
    while (!asking.signal.aborted) {
      for (const [path, text] of expected) {
        const answered = await api.ask(path);
        answers += 1;
        if (answered.status !== 200 || answered.text !== text) {
          unexpected.push(`${path}: ${answered.status} ${answered.text}`);
        }
      }
    }
  });
  await Promise.all([over, ...lanes]);
  return { answers, unexpected };
}

/** What the stage answers about the Jobs of a cluster, by path. */
async function answersAbout(cluster: RecordedCluster): Promise<ReadonlyMap<string, string>> {
  const answers = new Map<string, string>();
  for (const job of (await foldCluster(cluster)).jobs) {
    const path = `${jobPath(job)}?uid=${job.uid}`;
    answers.set(path, (await api.ask(path)).text);
  }
  return answers;
}

/** The recording as another cluster. */
function renamed(name: string): RecordedCluster {
  return { ...recorded, cluster: clusterNamed(name) };
}

interface ComparedJob {
  readonly cluster: string;
  readonly name: string;
  readonly problem: string;
}

/** The Jobs about which the projections differ, once both have everything. */
async function differentJobs(): Promise<readonly ComparedJob[]> {
  const { stdout } = await tools.outlive(["compare", "--stage", stack.stage, "-o", "json"]);
  return (JSON.parse(stdout) as { readonly different: readonly ComparedJob[] }).different;
}

async function refuses(...args: readonly string[]): Promise<{ readonly status: number | null; readonly text: string }> {
  const { status, stdout, stderr } = await tools.outlive([...args, "--stage", stack.stage]);
  return { status, text: `${stdout}${stderr}` };
}

/** A release whose projector ignores the end of Jobs. */
const FAULT: SourceChange = {
  file: "src/projection/group-facts.ts",
  from: "if (isJobFact(fact)) addTo(",
  to: 'if (fact.kind === "JobFinished") continue; else if (isJobFact(fact)) addTo(',
};

describe.skipIf(wanted.outcome === "skip")("a stage with a second projection beside the one that answers", () => {
  it("finds no difference between two projections of the same release", async () => {
    expect(await succeeds("replay", "--trial")).toContain("still answers, and the other one is complete");
    expect(await succeeds("compare")).toContain("no differences");
  });

  it("answers every query the same while the projections are switched there and back", async () => {
    const expected = await answersAbout(recorded);
    const live: unknown[] = [];
    const switching = async (): Promise<void> => {
      for (let count = 0; count < SWITCHES; count += 1) {
        await succeeds("switch");
        live.push(liveIn(await tools.liveProjection()));
      }
    };
    const { answers, unexpected } = await askUntil(switching(), expected);
    expect(unexpected).toEqual([]);
    expect(answers).toBeGreaterThan(SWITCHES * LANES);
    expect(new Set(live).size).toBe(2);
  });

  it("keeps both up to date, so that a switch back loses nothing", async () => {
    const fresh = renamed("during-the-trial");
    await arrives(fresh);
    await poll("both have it", async () => {
      const { status } = await tools.outlive(["compare", "--stage", stack.stage]);
      return status === 0 ? true : undefined;
    });
    await succeeds("switch");
    const { jobs } = await foldCluster(fresh);
    for (const job of jobs) expect(await api.job(job)).toContain(`"state":"${job.verdict.state}"`);
    expect(await succeeds("switch", "--end")).toContain("The trial has ended");
  });
});

/** LocalStack cannot deploy another release: it creates the alias of a changed function again, and refuses it. */
const cannotUpgrade = wanted.outcome === "skip" || wanted.name !== "ministack";

describe.skipIf(cannotUpgrade)("a stage that keeps its projectors while another release is tried", () => {
  it("answers what the kept projector projects, while one with a fault writes the other projection", async () => {
    const versions = stack.outputs.ProjectorVersions;
    expect(versions).toMatch(/^\d+,\d+$/);
    const before = await answersAbout(recorded);
    const release = changedRelease(FAULT);
    const during = renamed("during-the-fault");
    const trying = async (): Promise<void> => {
      const { ProjectorVersions } = await upgradeStack(
        stack,
        { ...TRIAL, keepProjectors: versions },
        { checkout: release.path },
      );
      expect(ProjectorVersions).toBe(versions);
      expect(await succeeds("replay", "--trial")).toContain("still answers, and the other one is complete");
      await arrives(during);
    };
    const { answers, unexpected } = await askUntil(
      trying().finally(() => release.remove()),
      before,
      1,
    );
    expect(unexpected).toEqual([]);
    expect(answers).toBeGreaterThan(LANES);
    // What arrived during the trial is answered as its facts fold.
    const { jobs } = await foldCluster(during);
    for (const job of jobs) expect(await api.job(job)).toContain(`"state":"${job.verdict.state}"`);
  });

  it("finds the fault Job by Job, also in what arrived during the trial", async () => {
    const finished = new Set(recorded.facts.flatMap((fact) => (fact.kind === "JobFinished" ? [fact.jobUid] : [])));
    const { jobs } = await foldCluster(recorded);
    const names = jobs.filter(({ uid }) => finished.has(uid as never)).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(1);
    expect(arrived.map(({ cluster }) => cluster)).toContain(clusterNamed("during-the-fault"));
    const expected = arrived.flatMap(({ cluster }) => names.map((name) => `${cluster}/${name}: answer`));
    const found = await differentJobs();
    expect(found.map(({ cluster, name, problem }) => `${cluster}/${name}: ${problem}`).toSorted()).toEqual(
      expected.toSorted(),
    );
    const ended = await refuses("switch", "--end");
    expect([ended.status, ended.text]).toEqual([1, expect.stringContaining("The trial was not ended")]);
    expect(ended.text).toContain(names[0]);
    const replayed = await refuses("replay");
    expect([replayed.status, replayed.text]).toEqual([3, expect.stringContaining("keeps the projectors")]);
  });

  it("ends the trial for a recorded reason, and the faulty projector writes nothing that answers", async () => {
    const live = liveIn(await tools.liveProjection());
    expect(await succeeds("switch", "--end", "--despite", "Ends are missing")).toContain("The trial has ended");
    const pointer = await tools.liveProjection();
    expect(JSON.parse(pointer ?? "")).toMatchObject({ live, endedDespite: "Ends are missing" });
    expect(pointer).not.toContain("kept");
    await arrives(renamed("after-the-fault"));
  });

  it("switches to a corrected release and back, and stays with it, and no query fails meanwhile", async () => {
    const versions = stack.outputs.ProjectorVersions;
    const expected = await answersAbout(recorded);
    const during = renamed("during-the-correction");
    const correcting = async (): Promise<void> => {
      await upgradeStack(stack, { ...TRIAL, keepProjectors: versions });
      await succeeds("replay", "--trial");
      await succeeds("switch");
      await arrives(during);
      expect(await differentJobs()).toEqual([]);
      await succeeds("switch");
      await succeeds("switch");
      expect(await succeeds("switch", "--end")).toContain("The trial has ended");
      await arrives(renamed("before-the-deployment"));
      const { ProjectorVersions } = await upgradeStack(stack);
      expect(ProjectorVersions).not.toBe(versions);
      await arrives(renamed("after-the-deployment"));
    };
    const { answers, unexpected } = await askUntil(correcting(), expected, 1);
    expect(unexpected).toEqual([]);
    expect(answers).toBeGreaterThan(LANES);
    expect(await refuses("switch")).toMatchObject({ status: 2 });
  });
});
