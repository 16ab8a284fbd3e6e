import { createReadStream, existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Fact } from "../../../src/job/model/fact.ts";
import { formatInstant, type Instant, parseInstant } from "../../../src/job/model/instant.ts";
import { fieldsOf } from "../../../src/kubernetes/json/json-field.ts";
import { readRecording } from "../../../src/kubernetes/recording/recording.ts";
import { OwnerMemory } from "../../../src/kubernetes/translate/memory/owner-memory.ts";
import { translate } from "../../../src/kubernetes/translate/translate.ts";
import { answersOf, foldFacts } from "../../../src/query/job/fold-facts.ts";
import { RECORDINGS_BESIDE, recordingsWithAudit } from "../../support/recordings/real-recordings.ts";
import { skipWithout } from "../../support/running/skip-without.ts";

/** The recordings with the arrival time of each event in a file beside them. */
const TIMED = recordingsWithAudit().flatMap(([file = ""]) => (existsSync(timesOf(file)) ? [file] : []));

function timesOf(file: string): string {
  return file.replace(/\.ndjson(\.gz)?$/, ".times.json");
}

interface Arrival {
  readonly event: unknown;
  readonly at: Instant;
}

async function arrivalsOf(file: string): Promise<readonly Arrival[]> {
  const { began, ms } = JSON.parse(readFileSync(timesOf(file), "utf8")) as { began: string; ms: readonly number[] };
  const arrivals: Arrival[] = [];
  for await (const recorded of readRecording(createReadStream(file))) {
    if (!("event" in recorded)) continue;
    arrivals.push({ event: recorded.event, at: (parseInstant(began) ?? 0) + (ms[recorded.line - 1] ?? 0) });
  }
  return arrivals;
}

/** The event as an API server sends it: each write is dated by the second. */
function dated({ event, at }: Arrival): unknown {
  const time = formatInstant(Math.floor(at / 1000) * 1000);
  return withManagedFields(event, [{ manager: "controller", operation: "Update", time }]);
}

function undated({ event }: Arrival): unknown {
  return withManagedFields(event, undefined);
}

function withManagedFields(event: unknown, managedFields: unknown): unknown {
  const { object, ...rest } = fieldsOf(event);
  const { metadata, ...body } = fieldsOf(object);
  if (metadata === undefined) return event;
  return { ...rest, object: { ...body, metadata: { ...fieldsOf(metadata), managedFields } } };
}

async function answersTo(events: readonly unknown[], now: Instant) {
  const owners = new OwnerMemory(50_000, { keepsDeleted: true });
  const batches = async function* (): AsyncGenerator<readonly Fact[]> {
    for (const event of events) {
      const translated = translate(event, { jobsOfPod: owners.jobsOf });
      if (translated.outcome !== "translated") continue;
      owners.remember(translated.facts);
      yield translated.facts;
    }
  };
  const folded = await foldFacts(batches());
  const answers = [...answersOf(folded, { cluster: "c", now, pods: false })];
  return { answers, latestAt: folded.latestAt };
}

const untested = "answers without managedFields";

describe.skipIf(skipWithout(TIMED.length > 0, { ...RECORDINGS_BESIDE, untested }))(
  "a recording without managedFields",
  () => {
    it.each(TIMED.map((file) => [file.replace(/.*\/shared\//, ""), file] as const))(
      "%s gives the same verdicts and counts, and times that are not later",
      { timeout: 120_000 },
      async (_, file) => {
        const arrivals = await arrivalsOf(file);
        const end = Math.max(...arrivals.map(({ at }) => at));
        const known = await answersTo(arrivals.map(dated), end);
        const bounded = await answersTo(arrivals.map(undated), end);
        const conclusions = ({ answers }: typeof known) =>
          answers.map(
            ({ name, uid, verdict: { state, reason, final }, pods, status: { conditions: _c, ...counts } }) => {
              const { active, succeeded, failed, completedIndexes } = counts;
              return { name, uid, state, reason, final, pods, active, succeeded, failed, completedIndexes };
            },
          );
        expect(conclusions(bounded)).toEqual(conclusions(known));
        expect(bounded.answers.length).toBeGreaterThan(0);
        expect(bounded.latestAt).toBeLessThanOrEqual(known.latestAt);
        // Times of Nodes may be ahead by less than a second.
        expect(bounded.latestAt).toBeLessThanOrEqual(end + 1000);
        for (const [at, { reported }] of bounded.answers.entries()) {
          const bound = reported?.observedAt ?? "";
          expect(bound <= (known.answers[at]?.reported?.observedAt ?? "")).toBe(true);
        }
      },
    );
  },
);
