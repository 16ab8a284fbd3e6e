import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FailedIndexPod } from "../../../src/job/status/back-off-limit-per-index.ts";
import { readFailureCount } from "../../../src/job/status/back-off-limit-per-index.ts";
import type { FinishTimes } from "../../../src/job/status/finish-time.ts";
import { parseInstant } from "../../../src/job/model/instant.ts";
import type { FailedPod } from "../../../src/job/status/pod-failure-policy.ts";

/** A case of test/conformance. `Input` and `Expected` depend on the upstream test. */
export interface ConformanceCase<Input, Expected> {
  readonly id: string;
  readonly kind: "status" | "counting" | "sequence" | "function" | "answer";
  readonly upstreamTest: string;
  readonly gates?: Readonly<Record<string, boolean>>;
  readonly input: Input;
  readonly expected: Expected;
}

export interface CasePod {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  readonly phase?: string;
  readonly finalizer?: boolean;
  readonly index?: string;
  readonly indexFailureCount?: string;
  readonly indexIgnoredFailureCount?: string;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly conditions?: readonly CaseCondition[];
  readonly containerStatuses?: readonly CaseContainer[];
  readonly initContainerStatuses?: readonly CaseContainer[];
}
export interface CaseCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}
export interface CaseContainer {
  readonly name?: string;
  readonly restartCount?: number;
  readonly state?: {
    readonly terminated?: { readonly exitCode?: number; readonly finishedAt?: string };
    readonly running?: object;
  };
}

const FOLDER = join(import.meta.dirname, "../../conformance");

/** All cases in the order of the files. */
export function conformanceCases(): readonly object[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .flatMap((name) => (JSON.parse(readFileSync(join(FOLDER, name), "utf8")) as { readonly cases: object[] }).cases);
}

/** The function cases of one upstream test by id, as rows for `it.each`. */
export function functionCases<Input, Expected>(
  upstreamTest: string,
): readonly (readonly [string, ConformanceCase<Input, Expected>])[] {
  return (conformanceCases() as readonly ConformanceCase<Input, Expected>[])
    .filter((one) => one.kind === "function" && one.upstreamTest === upstreamTest)
    .map((one) => [one.id, one] as const);
}

/** The index a Pod's annotation names, read as the translation reads it. */
export function indexOf({ index }: CasePod): number | undefined {
  return index !== undefined && /^[0-9]+$/.test(index) ? Number(index) : undefined;
}

export function finishTimesOfCase(pod: CasePod): FinishTimes {
  const containers = [...(pod.containerStatuses ?? []), ...(pod.initContainerStatuses ?? [])];
  const unready = pod.conditions?.find(({ type, status }) => type === "Ready" && status === "False");
  const unreadySince = parseInstant(unready?.lastTransitionTime);
  const deletion = parseInstant(pod.deletionTimestamp);
  return {
    containerEnds: containers.map(({ state }) => parseInstant(state?.terminated?.finishedAt)),
    ...(unreadySince !== undefined && { unreadySince }),
    ...(deletion !== undefined && { deletionRequestedAt: deletion - (pod.deletionGracePeriodSeconds ?? 0) * 1000 }),
    createdAt: parseInstant(pod.creationTimestamp) ?? 0,
  };
}

export function failedPodOfCase(pod: CasePod): FailedPod {
  const containers = [...(pod.containerStatuses ?? []), ...(pod.initContainerStatuses ?? [])];
  return {
    namespace: pod.namespace,
    name: pod.name,
    ends: containers.flatMap(({ name, state }) =>
      state?.terminated === undefined ? [] : [{ container: name ?? "", exitCode: state.terminated.exitCode ?? 0 }],
    ),
    conditions: pod.conditions ?? [],
  };
}

export function failedIndexPodOfCase(pod: CasePod, index: number): FailedIndexPod {
  return {
    ...finishTimesOfCase(pod),
    uid: pod.uid,
    index,
    failureCount: readFailureCount(pod.indexFailureCount),
    ignoredFailureCount: readFailureCount(pod.indexIgnoredFailureCount),
  };
}
