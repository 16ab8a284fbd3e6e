import { describe, expect, it } from "vitest";
import { claimPod, type ControllerReference, losesFinalizerUncounted } from "./ownership.ts";
import { functionCases } from "../support/story/conformance-case.ts";

describe("a Pod that a Job finds", () => {
  type Owner = ControllerReference | null;
  interface OwnedCase {
    readonly job: { readonly uid: string; readonly selector: Record<string, string>; readonly deleting: boolean };
    readonly pods: readonly {
      readonly name: string;
      readonly owner: Owner;
      readonly labels: Record<string, string>;
      readonly finalizer: boolean;
    }[];
  }
  it.each(
    functionCases<
      OwnedCase,
      { readonly podsOfJob: readonly string[]; readonly ofWhichHoldTrackingFinalizer: readonly string[] }
    >("TestGetPodsForJob"),
  )("is owned, adopted, released or foreign: %s", (_, { input, expected }) => {
    const claims = input.pods.map((pod) => {
      const { owner, ...rest } = pod;
      return { ...pod, claim: claimPod(input.job, { ...rest, ...(owner !== null && { owner }) }) };
    });
    const mine = claims.filter(({ claim }) => claim === "owned" || claim === "adopted");
    expect(mine.map(({ name }) => name)).toEqual(expected.podsOfJob);
    const tracked = mine.filter(({ claim, finalizer }) => claim === "adopted" || finalizer);
    expect(tracked.map(({ name }) => name)).toEqual(expected.ofWhichHoldTrackingFinalizer);
  });

  it.each(
    functionCases<
      {
        readonly pod: { readonly owner: Owner };
        readonly job: { readonly uid: string; readonly finished: boolean } | null;
      },
      { readonly trackingFinalizerRemoved: boolean }
    >("TestSyncOrphanPod"),
  )("loses the finalizer uncounted when no controller counts it: %s", (_, { input, expected }) => {
    expect(losesFinalizerUncounted(input.pod.owner ?? undefined, input.job ?? undefined)).toBe(
      expected.trackingFinalizerRemoved,
    );
  });
});
