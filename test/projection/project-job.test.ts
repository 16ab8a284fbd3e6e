import { describe, expect, it } from "vitest";
import type { JobFact } from "../../src/job/model/fact.ts";
import { ChangeAnnouncer } from "../../src/projection/changes/change-announcer.ts";
import { type JobGroup, groupFacts } from "../../src/projection/group-facts.ts";
import { type JobPorts, projectJob } from "../../src/projection/project-job.ts";
import { readJob } from "../../src/projection/job-state/read-job.ts";
import { clusterNamed } from "../support/facts/names.ts";
import { MemoryJobStore } from "../support/stores/memory-job-store.ts";
import { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";
import { Story } from "../support/story/story.ts";

const cluster = clusterNamed("east");
const name = { sealedAt: Date.UTC(2026, 0, 1), session: "0123456789abcdef", sequence: 0 };
const RETRY = { attempts: 3, pause: async () => undefined };

function groupOf(facts: readonly JobFact[]): JobGroup {
  const [group] = groupFacts([{ key: { pk: "p", sk: "s" }, cluster, name, facts }]);
  return group?.kind === "job" ? group : expect.fail("The facts are of one Job.");
}

/** The facts of a Job that completes. */
function completed(): readonly JobFact[] {
  const story = new Story("report");
  story.jobCreated();
  story.jobTracked();
  story.podSucceeds("a", 5);
  story.jobFinished("Complete");
  return story.facts;
}

/** Ports that note what happens, in order. */
function openPorts(more: Partial<JobPorts> = {}) {
  const happened: string[] = [];
  const jobs = new MemoryJobStore();
  const meta = new MemoryMetaStore();
  const write: MemoryJobStore["write"] = async (key, state, expected) => {
    happened.push("write");
    return jobs.write(key, state, expected);
  };
  const announcer = new ChangeAnnouncer(async (changes) => {
    happened.push(...changes.map(() => "announce"));
  });
  const ports: JobPorts = {
    jobs: Object.assign(Object.create(jobs) as MemoryJobStore, { read: jobs.read.bind(jobs), write }),
    meta,
    announcer,
    observer: async () => void happened.push("observe"),
    ...more,
  };
  return { ports, happened, jobs, meta };
}

describe("the projection of a Job", () => {
  it("announces a change of its status, writes its state, and shows its row to the observer", async () => {
    const { ports, happened } = openPorts();
    expect(await projectJob(ports, groupOf(completed()), RETRY)).toEqual({ outcome: "written" });
    expect(happened).toEqual(["announce", "write", "observe"]);
  });

  it("does nothing for facts that it has", async () => {
    const { ports, happened } = openPorts();
    await projectJob(ports, groupOf(completed()), RETRY);
    happened.length = 0;
    expect(await projectJob(ports, groupOf(completed()), RETRY)).toEqual({ outcome: "unchanged" });
    expect(happened).toEqual([]);
  });

  it("joins the facts into what another writer has stored meanwhile", async () => {
    const [first, ...rest] = completed();
    if (first === undefined) throw new Error("The story has facts.");
    const { ports, jobs } = openPorts();
    let isFirst = true;
    const overtaken = Object.assign(Object.create(jobs) as MemoryJobStore, {
      read: jobs.read.bind(jobs),
      write: async (...args: Parameters<MemoryJobStore["write"]>) => {
        if (isFirst) await projectJob({ jobs, meta: ports.meta }, groupOf([first]), RETRY);
        isFirst = false;
        return jobs.write(...args);
      },
    });
    expect(await projectJob({ ...ports, jobs: overtaken }, groupOf(rest), RETRY)).toEqual({ outcome: "written" });
    const whole = openPorts();
    await projectJob(whole.ports, groupOf(completed()), RETRY);
    const key = groupOf(rest).key;
    expect((await jobs.read(key))?.bytes).toEqual((await whole.jobs.read(key))?.bytes);
    expect((await readJob(jobs, key))?.version).toBe(2);
  });

  it.each([
    [{}, 1],
    [{ jobsOnly: true }, 0],
  ])("notes the namespace, unless the projection is a trial: %j", async (more, count) => {
    const { ports, meta } = openPorts(more);
    await projectJob(ports, groupOf(completed()), RETRY);
    expect(meta.contents()).toHaveLength(count);
  });

  it("is not written without its namespace, in which lists look for it", async () => {
    const { jobs } = openPorts();
    const broken = Object.assign(new MemoryMetaStore(), { write: async () => Promise.reject(new Error("throttled")) });
    await expect(projectJob({ jobs, meta: broken }, groupOf(completed()), RETRY)).rejects.toThrow("throttled");
    expect(jobs.states.size).toBe(0);
  });
});
