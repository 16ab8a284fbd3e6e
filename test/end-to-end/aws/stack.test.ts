import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canonical } from "../../../src/job/model/canonical.ts";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import type { AttentionAnswer } from "../../../src/query/attention/attention.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { parseInstant } from "../../../src/job/model/instant.ts";
import { AUDITED_AFTER_MS } from "../../../src/upkeep/replay/audit-projection.ts";
import type { Ran } from "../../support/running/run-outlive.ts";
import { largeJobFacts, podBeginFacts, podEndFacts } from "../../support/facts/large-job-facts.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { sealSegment } from "../../../src/segment/seal-segment.ts";
import { type ApiClient, createApiClient } from "./api-client.ts";
import { type DeployedStack, deployStack, speakTo, TRIAL } from "./deployed-stack.ts";
import { auditLogGroup } from "./audit-log-group.ts";
import { AUDITED, AUDITED_GROUP, describeAuditLogs } from "./describe-audit-logs.ts";
import { describeAgents } from "./describe-agents.ts";
import { describeApiAttacks } from "./describe-api-attacks.ts";
import { describeArchive } from "./describe-archive.ts";
import { describeNotifications } from "./describe-notifications.ts";
import { describeReplay } from "./describe-replay.ts";
import { describeSchedules } from "./describe-schedules.ts";
import { emulatorWanted } from "./emulator-wanted.ts";
import { type NotifiedReceivers, startReceivers } from "./notified-receivers.ts";
import { poll } from "./poll.ts";
import { foldCluster, type RecordedCluster, recordedClusters, sealed } from "./recorded-clusters.ts";
import { createStackTools, type StackTools } from "./stack-tools.ts";

const wanted = emulatorWanted();
/** LocalStack's free edition has no Glue and no Athena. */
const isArchived = wanted.outcome !== "skip" && wanted.name === "ministack";
const clusters = await recordedClusters();

let deployed: DeployedStack | undefined;
let stack: DeployedStack;
let receivers: NotifiedReceivers | undefined;
let api: ApiClient;
let tools: StackTools;

beforeAll(async () => {
  if (wanted.outcome === "skip") return;
  receivers = await startReceivers(process.env["AWS_REGION"] ?? "eu-central-1");
  const archive: Readonly<Record<string, string>> = isArchived ? { archive: "true" } : {};
  const audited = { auditLogGroups: `${AUDITED}=${AUDITED_GROUP}` };
  const settings = { ...TRIAL, ...archive, ...audited, rules: receivers.rulesFile, jobAlarms: "true" };
  deployed = stack = await deployStack(wanted.name, settings, {
    prepare: async (environment) => {
      await auditLogGroup(AUDITED_GROUP, environment).create();
      return { rulesSecret: (await receivers?.storeSecrets(environment)) ?? "" };
    },
  });
  speakTo(stack);
  await receivers.open();
  api = createApiClient(stack.apiUrl);
  tools = createStackTools(stack);
});
afterAll(async () => {
  deployed?.stop();
  await receivers?.close();
});

/** The recording under another cluster's name. */
function as(name: string, recorded: RecordedCluster): RecordedCluster {
  return { ...recorded, cluster: clusterNamed(name) };
}

function killed(): RecordedCluster {
  return as("killed", recording("deadline"));
}

function recording(name: string): RecordedCluster {
  const found = clusters.find(({ cluster }) => cluster === name);
  if (found === undefined) throw new Error(`There is no recording ${name}.`);
  return found;
}

/** A Job told pod by pod, as its Pods begin and end. */
function largeJob(pods: number): RecordedCluster {
  const facts: Fact[] = [...largeJobFacts({ indexed: true, completions: pods })];
  for (let number = 0; number < pods; number += 1) facts.push(...podBeginFacts(number, number), ...podEndFacts(number));
  return { cluster: clusterNamed("large"), facts };
}

async function feedAndCompare(recorded: RecordedCluster): Promise<void> {
  await tools.send(recorded, shuffled(sealed(recorded, Date.now())));
  await answersAsFolded(recorded);
}

/** Resolves when the API and `outlive fold` have the same answers at one instant, in canonical order of fields. */
async function answersAsFolded(recorded: RecordedCluster): Promise<void> {
  const { jobs, answer } = await foldCluster(recorded);
  expect(jobs.length).toBeGreaterThan(0);
  const lanes = Array.from({ length: 4 }, (_, lane) => jobs.filter((_job, n) => n % 4 === lane));
  await Promise.all(
    lanes.map(async (lane) => {
      for (const job of lane) await answerIs(job, (now) => answer(job.uid, now));
    }),
  );
}

async function answerIs(job: JobAnswer, folded: (now: number) => JobAnswer | undefined): Promise<void> {
  let last: { readonly said: string; readonly folds: string } | undefined;
  const isEqual = async () => {
    const text = await api.job(job);
    if (text === undefined) return undefined;
    const { generations: _, ...said } = JSON.parse(text) as JobAnswer & { readonly generations?: unknown };
    last = { said: canonical(said), folds: canonical(folded(parseInstant(said.asOf.time) ?? 0)) };
    return last.said === last.folds ? true : undefined;
  };
  await poll(`${job.cluster} ${job.name} answers as it folds`, isEqual).catch((cause: unknown) => {
    expect(last?.said, String(cause)).toBe(last?.folds);
    throw cause;
  });
}

/** Any order will do that is not the one in which they were sealed. */
function shuffled<Item>(items: readonly Item[]): readonly Item[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

describe.skipIf(wanted.outcome === "skip")("the stack, deployed as it is", () => {
  // First: the archive begins with the first hour of the log.
  describe.skipIf(!isArchived)("that archives the hours of its log", () => {
    describeArchive(
      () => ({ stack, tools, api }),
      [recording("deadline"), recording("duplicate-execution"), recording("ttl")],
    );
  });

  // SQS delivers the messages of a killed function again after a minute (lib/ingest.ts). The last test but one checks.
  describe("whose functions are killed while they work", () => {
    it("accepts what is sent", async () => {
      await feedAndCompare(as("warm", recording("duplicate-execution")));
      const { emulator } = stack;
      // Whose processes they are is known only where the emulator is a process of ours.
      if (emulator.by === "process") expect(emulator.functionProcesses().length).toBeGreaterThan(0);
      const sending = tools.send(killed(), shuffled(sealed(killed(), Date.now())));
      for (let round = 0; round < 5; round += 1) {
        tools.killFunctions();
        await setTimeout(200);
      }
      await sending;
    });
  });

  describe("that receives recordings, each segment twice, shuffled, and a third of them by redrive", () => {
    let redriven: Ran;

    beforeAll(async () => {
      for (const recorded of clusters) {
        const messages = sealed(recorded, Date.now());
        const late = messages.filter((_, n) => n % 3 === 0);
        const onTime = messages.filter((_, n) => n % 3 !== 0);
        await tools.send(recorded, shuffled([...onTime, ...onTime]));
        await tools.sendToDeadLetters(recorded, [...late, ...late]);
      }
      redriven = await tools.outlive(["redrive", "--stage", stack.stage, "--what", "dead-letters", "-o", "json"]);
    });

    it("redrives every dead letter", async () => {
      expect(redriven).toMatchObject({ status: 0 });
      expect(await tools.deadLetters()).toBe(0);
    });

    it.each(clusters)("answers of $cluster what `outlive fold` answers", answersAsFolded);

    it("gives a command the same answer as HTTP", async () => {
      const { jobs } = await foldCluster(recording("deadline"));
      const asked = ["jobs", "-A", "--cluster", "deadline", "-o", "name", "--server", stack.apiUrl];
      const { status, stdout } = await tools.outlive(asked);
      expect(status).toBe(0);
      expect(stdout.trim().split("\n")).toHaveLength(jobs.length);
    });
  });

  describe("that receives a Job with so many Pods that its state has pages and is not written for each segment", () => {
    it("gives the same answer as `outlive fold`", () => feedAndCompare(largeJob(600)));
  });

  describe("that reads an audit log in CloudWatch Logs", () => {
    describeAuditLogs(() => {
      const group = auditLogGroup(AUDITED_GROUP, stack.environment);
      return { tools, group, answersAsFolded };
    }, recording("ttl"));
  });

  describe("that receives invalid messages among segments", () => {
    const small = recording("duplicate-execution");
    const [good = new Uint8Array()] = sealed(as("poisoned", small), Date.now());
    const name = { cluster: clusterNamed("poisoned"), session: "e2e0000000000001", sequence: 0, facts: [] };
    const day = 24 * 60 * 60 * 1000;
    const poison: readonly (readonly [string, Uint8Array])[] = [
      ["nothing of ours", Buffer.from("hello")],
      ["a segment cut short", good.subarray(0, good.length - 20)],
      ["a segment with a flipped bit", good.with(good.length >> 1, (good.at(good.length >> 1) ?? 0) ^ 1)],
      ["one of a codec of the future", good.with(0, 9)],
      ["one sealed twenty days ago", sealSegment({ ...name, sealedAt: Date.now() - 20 * day }).bytes],
      ["one sealed tomorrow", sealSegment({ ...name, sealedAt: Date.now() + day }).bytes],
      ["half a megabyte of noise", Buffer.alloc(500_000, "noise ")],
    ];

    it("sets it aside with its reason, and answers of the others as they fold", async () => {
      const before = await tools.setAside();
      const bad = poison.map(([, bytes]) => bytes);
      await tools.send(as("poisoned", small), shuffled([...sealed(as("poisoned", small), Date.now()), ...bad]));
      await answersAsFolded(as("poisoned", small));
      const reasons = await poll("all of it is set aside", async () => {
        const found = (await tools.setAside()).filter(({ key }) => !before.some((known) => known.key === key));
        return found.length >= poison.length ? found : undefined;
      });
      expect(reasons).toHaveLength(poison.length);
      for (const { reason } of reasons) expect(reason).toMatch(/^.{10,}\.$/);
      expect(await tools.deadLetters()).toBe(0);
    });
  });

  describe("with one Job whose state cannot be read", () => {
    const hurt = as("hurt", recording("ttl"));

    it("folds its neighbours unharmed, and the Job itself when it was mended and audited", async () => {
      const { jobs, answer } = await foldCluster(hurt);
      const [victim, ...neighbours] = jobs;
      if (victim === undefined) throw new Error("The recording has no Job.");
      await tools.breakState(victim);
      // As young as the audit still compares: an earlier audit of this stage has passed everything older.
      const arrivedAt = Date.now() - AUDITED_AFTER_MS - 1_000;
      await tools.appendAt(sealed(hurt, arrivedAt), arrivedAt);
      for (const job of neighbours) await answerIs(job, (now) => answer(job.uid, now));
      await tools.mendState(victim);
      await tools.audit();
      await answerIs(victim, (now) => answer(victim.uid, now));
    });
  });

  describe("that notifies receivers of failed Jobs", () => {
    describeNotifications(() => {
      if (receivers === undefined) throw new Error("the receivers were not started");
      return { stack, tools, receivers, answersAsFolded };
    });
  });

  describe("that watches a CronJob", () => {
    describeSchedules(() => ({ stack, tools, api }));
  });

  describe("rebuilt from the log while segments arrive", () => {
    it("answers from the other table what it answered from this one", async () => {
      const during = as("during", recording("kubelet-restart"));
      const messages = sealed(during, Date.now());
      const half = messages.length >> 1;
      await tools.send(during, messages.slice(0, half));
      const sending = tools.replayBegins().then(() => tools.send(during, messages.slice(half)));
      await Promise.all([tools.replay(), sending]);
      await answersAsFolded(during);
      await answersAsFolded(recording("deadline"));
      await answersAsFolded(recording("ttl"));
    });
  });

  describe("rebuilt by many workers", () => {
    describeReplay(() => ({ stack, tools }), ["deadline", "kubelet-restart", "ttl"].map(recording));
  });

  describe("queried over API Gateway", () => {
    it("answers health checks without authentication", async () => {
      expect(await api.ask("/v1/healthz")).toMatchObject({ status: 200, text: '{"status":"ok"}' });
    });

    it.each([
      ["a Job that never was", "/v1/clusters/deadline/namespaces/deadline/jobs/none", 404, "no-such-job"],
      [
        "a name that no Job can have",
        "/v1/clusters/deadline/namespaces/deadline/jobs/caf%C3%A9%20noir",
        404,
        "no-such-job",
      ],
      ["a parameter there is none of", "/v1/jobs?stat=Failed", 400, "bad-parameter"],
      ["a cursor of another question", "/v1/jobs?cursor=abc", 400, ""],
      ["a route there is none of", "/v1/nothing", 404, ""],
    ])("refuses %s with what to do", async (_, path, status, kind) => {
      const answered = await api.ask(path);
      expect(answered.status).toBe(status);
      expect(JSON.parse(answered.text)).toMatchObject({
        type: expect.stringContaining(kind) as string,
        detail: expect.stringMatching(/./) as string,
      });
    });

    it("reads every value of a repeated parameter", async () => {
      const { text } = await api.ask("/v1/jobs?cluster=deadline&state=Failed&state=Complete&limit=500");
      const { items } = JSON.parse(text) as { readonly items: readonly JobAnswer[] };
      expect(items).toHaveLength((await foldCluster(recording("deadline"))).jobs.length);
    });

    it("lists every Job once, page by page", async () => {
      const seen: string[] = [];
      for (let cursor = ""; ;) {
        const { text } = await api.ask(`/v1/jobs?cluster=ttl&limit=3${cursor}`);
        const page = JSON.parse(text) as { readonly items: readonly JobAnswer[]; readonly nextCursor?: string };
        seen.push(...page.items.map(({ uid }) => uid));
        if (page.nextCursor === undefined) break;
        cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`;
      }
      const { jobs } = await foldCluster(recording("ttl"));
      expect(seen).toHaveLength(jobs.length);
      expect(new Set(seen)).toEqual(new Set(jobs.map(({ uid }) => uid)));
    });

    it("offers metrics to a scraper, as text", async () => {
      const { status, headers } = await api.ask("/v1/metrics");
      expect(status).toBe(200);
      expect(headers.get("content-type")).toContain("text/plain; version=0.0.4");
    });

    it("serves the page, or the command to build it", async () => {
      const { status, headers } = await api.ask("/");
      expect(status).toBe(200);
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    });
  });

  describe("whose entries are acknowledged", () => {
    const failed = as("acknowledged", recording("ttl"));
    beforeAll(() => feedAndCompare(failed));

    it("marks an entry, and no longer when that is withdrawn", async () => {
      const first = async () => {
        const { status, text } = await api.ask(`/v1/attention?cluster=${failed.cluster}&since=2000d`);
        expect(status).toBe(200);
        const [entry] = (JSON.parse(text) as AttentionAnswer).items;
        return entry ?? expect.fail("A Job of the recording failed.");
      };
      const { id, cluster, namespace, acknowledged } = await first();
      expect(acknowledged).toBeUndefined();
      const path = `/v1/clusters/${cluster}/namespaces/${namespace}/acknowledgements/${id}`;
      const headers = { "content-type": "application/json" };
      const note = "Known: „Übergröße“ \u{1F600}";
      const put = { method: "PUT", headers, body: JSON.stringify({ note, until: "8h" }) };
      expect(await api.ask(path, put)).toMatchObject({ status: 200 });
      expect((await first()).acknowledged).toMatchObject({ note, by: "anonymous" });
      expect(await api.ask(path, { ...put, headers: { "content-type": "text/plain" } })).toMatchObject({
        status: 415,
      });
      expect(await api.ask(path, { method: "DELETE" })).toMatchObject({ status: 200 });
      expect((await first()).acknowledged).toBeUndefined();
      expect(await api.ask(path, { method: "DELETE" })).toMatchObject({ status: 404 });
    });
  });

  describe("whose API is attacked", () => {
    const attacked = as("attacked", recording("duplicate-execution"));
    beforeAll(() => feedAndCompare(attacked));
    describeApiAttacks(() => ({
      apiUrl: stack.apiUrl,
      throttles: wanted.outcome === "run" && wanted.name === "ministack",
      cluster: attacked.cluster,
    }));
  });

  describe("asked by agents", () => {
    describeAgents(
      () => ({ apiUrl: stack.apiUrl, feed: feedAndCompare }),
      () => as("agents", recording("deadline")),
    );
  });

  describe("checked by `outlive doctor`", () => {
    it("passes from the queue to the answer", async () => {
      const { status, stdout } = await tools.outlive(["doctor", "--stage", stack.stage, "-o", "json"]);
      const { items } = JSON.parse(stdout) as {
        readonly items: readonly { readonly check: string; readonly result: string }[];
      };
      const results = items.map(({ check, result }) => `${check} ${result}`);
      expect(results.slice(0, 4)).toEqual(["stage ok", "log ok", "records ok", "jobs ok"]);
      expect(results.slice(-6)).toEqual(["api ok", "reader ok", "queue ok", "ingest ok", "projection ok", "answer ok"]);
      expect(status).toBe(0);
    });

    it("is reported if it does not exist", async () => {
      const { status, stdout } = await tools.outlive(["doctor", "--stage", "nowhere", "-o", "json"]);
      expect(status).toBe(1);
      expect(stdout).toContain("There is no stage nowhere");
    });
  });

  describe("whose functions were killed while they worked", () => {
    it("lost no fact", () => answersAsFolded(killed()));
  });

  describe("that checks senders", () => {
    it("sets aside the segments of an unknown principal, until it is registered and they are redriven", async () => {
      const foreign = as("foreign", recording("duplicate-execution"));
      const before = await tools.setAside();
      await tools.closeIngest();
      await tools.send(foreign, sealed(foreign, Date.now()));
      const [{ reason }] = await poll("it is set aside", async () => {
        const [first] = (await tools.setAside()).filter(({ key }) => !before.some((known) => known.key === key));
        return first && [first];
      });
      const principal = /Principal (\S+) is not registered/.exec(reason)?.[1] ?? "";
      expect(principal).not.toBe("");
      const registered = ["clusters", "register", "foreign", "--principal-id", principal, "--stage", stack.stage];
      expect(await tools.outlive(registered)).toMatchObject({ status: 0 });
      const redrive = ["redrive", "--stage", stack.stage, "--what", "set-aside"];
      await tools.outlive(redrive);
      await tools.send(foreign, sealed(foreign, Date.now()));
      await answersAsFolded(foreign);
    });
  });
});
