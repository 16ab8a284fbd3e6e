import { describe, expect, it } from "vitest";
import type { Fact } from "../../../src/job/model/fact.ts";
import type { Instant } from "../../../src/job/model/instant.ts";
import { loggedFacts, shownFrom } from "../../../src/query/job/logged-facts.ts";
import { readJob } from "../../../src/projection/job-state/read-job.ts";
import { projectLive } from "../../../src/projection/project-segments.ts";
import { sealSegment } from "../../../src/segment/seal-segment.ts";
import { clusterNamed, jobUid } from "../../support/facts/names.ts";
import { emptyStores } from "../../support/stores/stores-with-facts.ts";
import { Story } from "../../support/story/story.ts";

const JOB = "job";
/** Sessions of imports without arrival times are hexadecimal; this one has arrival times. */
const ON_ARRIVAL = "t123456789abcdef";
const LATER = "t23456789abcdef0";
const WITHOUT_ARRIVAL = "0123456789abcdef";
const MINUTE = 60_000;

interface Sealed {
  readonly facts: readonly Fact[];
  readonly sealedAt: Instant;
  readonly session: string;
}

/** From when on each kind of fact is shown, and whether its arrival is known. */
async function shown(sealed: readonly Sealed[]): Promise<Readonly<Record<string, string>>> {
  const stores = emptyStores();
  const cluster = clusterNamed("east");
  for (const [sequence, segment] of sealed.entries()) {
    const item = sealSegment({ cluster, sequence, ...segment });
    await stores.log.append(item);
    await projectLive(stores, [item], { attempts: 1, pause: async () => {} });
  }
  const view = await readJob(stores.projections.open("A"), { cluster, jobUid: jobUid(JOB) });
  const times: Record<string, string> = {};
  if (view === undefined) return times;
  for await (const dated of loggedFacts({ log: stores.log, view })) {
    const from = new Date(shownFrom(dated)).toISOString().slice(14, 23);
    times[dated.fact.kind] = dated.arrivedBy === undefined ? `>=${from}` : from;
  }
  return times;
}

/** A Job is created at 00:00, and loses a finalizer a minute later: its object does not date that. */
function story(): { readonly created: readonly Fact[]; readonly later: readonly Fact[]; readonly begin: Instant } {
  const told = new Story(JOB, "2026-01-01T00:00:00Z");
  told.jobCreated();
  const created = [...told.facts];
  const begin = told.now;
  told.jobUntracked();
  return { created, later: told.facts.slice(created.length), begin };
}

describe("a fact in the log is shown", () => {
  it("from its arrival on", async () => {
    const { created, later, begin } = story();
    const times = await shown([
      { facts: created, sealedAt: begin + 400, session: ON_ARRIVAL },
      { facts: later, sealedAt: begin + MINUTE, session: ON_ARRIVAL },
    ]);
    expect(times).toMatchObject({ JobCreated: "00:00.400", JobUntracked: "01:00.000" });
  });

  it("from its lower bound on, without arrival times", async () => {
    const { created, later, begin } = story();
    const times = await shown([{ facts: [...created, ...later], sealedAt: begin, session: WITHOUT_ARRIVAL }]);
    expect(times).toMatchObject({ JobCreated: ">=00:00.000", JobUntracked: ">=00:00.000" });
  });

  it("never before it was true, if the exporter's clock is behind the API server's", async () => {
    const { created, later, begin } = story();
    const times = await shown([
      { facts: created, sealedAt: begin - 10 * MINUTE, session: ON_ARRIVAL },
      { facts: later, sealedAt: begin - 9 * MINUTE, session: ON_ARRIVAL },
    ]);
    expect(times).toMatchObject({ JobCreated: ">=00:02.000", JobUntracked: ">=01:02.000" });
  });

  it("from its arrival on, if only the clock of another exporter was behind", async () => {
    const { created, later, begin } = story();
    const times = await shown([
      { facts: created, sealedAt: begin - 10 * MINUTE, session: ON_ARRIVAL },
      { facts: later, sealedAt: begin + MINUTE, session: LATER },
    ]);
    expect(times).toMatchObject({ JobCreated: ">=00:02.000", JobUntracked: "01:00.000" });
  });

  it("from its arrival on, if the clock of a Node is ahead", async () => {
    const { created, begin } = story();
    const pod = new Story(JOB, "2026-01-01T00:00:00Z");
    pod.podCreated("a");
    pod.after(300);
    pod.podStarted("a");
    const times = await shown([{ facts: [...created, ...pod.facts], sealedAt: begin + 2_000, session: ON_ARRIVAL }]);
    expect(times).toMatchObject({ PodCreated: "00:02.000", PodStarted: "00:02.000" });
  });
});
