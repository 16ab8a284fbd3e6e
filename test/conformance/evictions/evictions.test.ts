import { describe, expect, it } from "vitest";
import evictions from "./evictions.json" with { type: "json" };
import { translate } from "../../../src/kubernetes/translate/translate.ts";
import { answersOf, foldFacts } from "../../../src/query/job/fold-facts.ts";
import { evictionRequest, jobObject, podObject, TRACKING_FINALIZER } from "../../support/kubernetes/watch-objects.ts";

type Fields = Readonly<Record<string, unknown>>;
interface Condition {
  readonly type: string;
  readonly status: string;
}

/** What happens next: an object is written, or the Pod ends. */
interface Step {
  readonly evictionRequest?: {
    readonly name: string;
    readonly requester: string;
    readonly intent: string;
    readonly podUid?: string;
    readonly conditions?: readonly Condition[];
    readonly deleted?: boolean;
  };
  readonly eviction?: { readonly requesters: readonly Fields[]; readonly conditions?: readonly Condition[] };
  readonly node?: readonly Condition[];
  readonly pod?: "evicted" | "deleted";
}
interface EvictionCase {
  readonly id: string;
  readonly steps: readonly Step[];
  readonly expected: {
    readonly cause: string;
    readonly deletedBy: { readonly actor: string; readonly confidence: string };
  };
}

const BEGAN = Date.parse("2026-11-21T08:24:44Z");
const minute = (step: number): string => new Date(BEGAN + step * 60_000).toISOString();

/** The watch events of one step, as the API server sends them; each write has the next resourceVersion. */
function eventsOf(step: Step, at: number): readonly Fields[] {
  const metadata = { resourceVersion: String(1000 + at * 10) };
  if (step.evictionRequest !== undefined) return [requestEvent(step.evictionRequest, metadata, at)];
  if (step.eviction !== undefined) return [evictionEvent(step.eviction, metadata, at)];
  if (step.node !== undefined) return [nodeEvent(step.node, metadata, at)];
  return podEvents(step.pod === "evicted", at);
}

function requestEvent(request: NonNullable<Step["evictionRequest"]>, metadata: Fields, at: number): Fields {
  const { name, requester, intent, podUid, conditions, deleted } = request;
  const pod = { name: "report-2vxzf", ...(podUid !== undefined && { uid: podUid }) };
  const object = evictionRequest({
    metadata: { ...metadata, name, uid: `request-${name}` },
    spec: { requester, intent, ...(podUid !== undefined && { target: { pod } }) },
    status: { conditions: datedConditions(conditions, at) },
  });
  return { type: deleted === true ? "DELETED" : "MODIFIED", object };
}

function evictionEvent(
  { requesters, conditions }: NonNullable<Step["eviction"]>,
  metadata: Fields,
  at: number,
): Fields {
  const object = evictionRequest({
    kind: "Eviction",
    metadata: { ...metadata, name: "generated", uid: "eviction" },
    status: { requesters, conditions: datedConditions(conditions, at) },
  });
  return { type: "MODIFIED", object };
}

function nodeEvent(conditions: readonly Condition[], metadata: Fields, at: number): Fields {
  const ready = { type: "Ready", status: "True", lastTransitionTime: minute(-60) };
  const object = {
    kind: "Node",
    apiVersion: "v1",
    metadata: { name: "node-a", uid: "node-a", creationTimestamp: minute(-60), ...metadata },
    status: { conditions: [ready, ...datedConditions(conditions, at)] },
  };
  return { type: "MODIFIED", object };
}

function datedConditions(conditions: readonly Condition[] = [], at: number): readonly Fields[] {
  return conditions.map((condition) => ({ ...condition, lastTransitionTime: minute(at) }));
}

/** The Pod is marked, ends with 143 and is gone. */
function podEvents(isEvicted: boolean, at: number): readonly Fields[] {
  const disruption = { type: "DisruptionTarget", status: "True", reason: "EvictionByEvictionAPI" };
  const conditions = isEvicted ? datedConditions([disruption], at) : [];
  const deletion = {
    deletionTimestamp: new Date(BEGAN + at * 60_000 + 30_000).toISOString(),
    deletionGracePeriodSeconds: 30,
    finalizers: [TRACKING_FINALIZER],
  };
  const ended = { exitCode: 143, reason: "Error", startedAt: minute(0), finishedAt: minute(at) };
  const containerStatuses = [{ name: "work", restartCount: 0, state: { terminated: ended } }];
  const pod = (version: number, more: Fields, status: Fields): Fields => ({
    type: "MODIFIED",
    object: podOnNode({ resourceVersion: String(1000 + at * 10 + version), ...more }, { conditions, ...status }),
  });
  return [
    pod(1, {}, { phase: "Running" }),
    pod(2, deletion, { phase: "Running" }),
    pod(3, deletion, { phase: "Failed", containerStatuses }),
    { ...pod(4, deletion, { phase: "Failed", containerStatuses }), type: "DELETED" },
  ];
}

function podOnNode(metadata: Fields, status: Fields): Fields {
  return podObject({ metadata, spec: { nodeName: "node-a" }, status });
}

async function answerTo(steps: readonly Step[]) {
  const first = [jobObject(), podOnNode({ resourceVersion: "720" }, { phase: "Running" })].map((object) => ({
    object,
  }));
  const events = [
    ...first.map((event) => ({ type: "ADDED", ...event })),
    ...steps.flatMap((s, at) => eventsOf(s, at + 1)),
  ];
  const facts = events.flatMap((event) => {
    const translated = translate(event);
    return translated.outcome === "translated" ? translated.facts : expect.fail(JSON.stringify(translated));
  });
  const batches = async function* () {
    yield facts;
  };
  const [answer] = answersOf(await foldFacts(batches()), { cluster: "c", now: BEGAN + 3_600_000, pods: true });
  const { actor, confidence } = answer?.attempts?.[0]?.deletedBy ?? {};
  return { cause: answer?.cause?.message, deletedBy: { actor, confidence } };
}

describe("a Pod that is evicted or deleted", () => {
  it.each((evictions.cases as readonly EvictionCase[]).map((one) => [one.id, one] as const))(
    "names who requested it, and what was done to its node: %s",
    async (_, { steps, expected }) => {
      expect(await answerTo(steps)).toEqual(expected);
    },
  );
});
