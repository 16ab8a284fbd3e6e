import { describe, expect, it } from "vitest";
import { decodeResourceVersion } from "../../../src/job/model/order.ts";
import { isEndOfRecording, isSilent, SILENT_AFTER_MILLIS } from "../../../src/job/status/silence.ts";

const HEARD_AT = Date.UTC(2026, 10, 21, 12);

describe("a cluster", () => {
  it.each([
    [SILENT_AFTER_MILLIS - 1, false],
    [SILENT_AFTER_MILLIS, true],
  ])("whose latest data arrived %i ms ago is silent: %s", (ago, silent) => {
    expect(isSilent(HEARD_AT, HEARD_AT + ago)).toBe(silent);
  });
});

describe("a heartbeat", () => {
  const resourceVersion = decodeResourceVersion("7");
  it.each([
    [{}, true],
    [{ serverVersion: "v1.36.3" }, false],
    [{ kubeSystemUid: "0d5c6a3e-4d8e-4f4b-9d1f-2a3b4c5d6e7f" }, false],
  ])("with %o is the end of a recording: %s", (identity, ends) => {
    if (resourceVersion === undefined) throw new Error("7 is a resourceVersion");
    const fact = { kind: "ClusterObserved", epoch: 0, resourceVersion, at: HEARD_AT, ...identity } as const;
    expect(isEndOfRecording(fact)).toBe(ends);
  });
});
