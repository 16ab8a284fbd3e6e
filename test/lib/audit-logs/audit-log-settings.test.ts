import { describe, expect, it } from "vitest";
import { CLUSTER_NAME } from "../../../src/ports/deployment/limits.ts";
import { decodeClusterName } from "../../../src/job/model/ids.ts";
import { auditLogsOf } from "../../../lib/audit-logs/audit-log-settings.ts";

const read = (auditLogGroups?: string) =>
  auditLogsOf((name) => (name === "auditLogGroups" ? auditLogGroups : undefined));

describe("the log groups of a stage", () => {
  it("are absent unless they are configured", () => {
    expect(read()).toBeUndefined();
    expect(read("")).toBeUndefined();
  });

  it("have a cluster each, and a cluster may have several", () => {
    expect([...(read("eu=/aws/eks/eu/cluster,us=/aws/eks/us/cluster,us=us-old")?.groups ?? [])]).toEqual([
      ["/aws/eks/eu/cluster", "eu"],
      ["/aws/eks/us/cluster", "us"],
      ["us-old", "us"],
    ]);
  });

  it("accept the names of clusters that Outlive has", () => {
    for (const name of ["eu", "Prod.eu_1-a", "-eu", "a".repeat(63), "a".repeat(64), "e#u", "e/u"]) {
      expect(CLUSTER_NAME.test(name)).toBe(decodeClusterName(name) !== undefined);
    }
  });

  it.each([
    ["/aws/eks/eu/cluster", /Expected CLUSTER=LOG-GROUP pairs/],
    ["eu=", /Expected CLUSTER=LOG-GROUP pairs/],
    ["eu=a,,us=b", /Expected CLUSTER=LOG-GROUP pairs/],
    ["eu=a, us=b", /Expected CLUSTER=LOG-GROUP pairs/],
    ["-=/aws/eks/eu/cluster", /"-" is not the name of a cluster/],
    [
      "eu=arn:aws:logs:eu-central-1:123456789012:log-group:a",
      /is not the name of a log group. Write its name, not its/,
    ],
    ["eu=/a,us=/a", /Log group \/a is listed twice, for eu and us/],
    [Array.from({ length: 60 }, (_, n) => `cluster-${n}=/aws/eks/cluster-${n}/cluster`).join(","), /longer than 2500/],
  ])("are refused where they are %s", (text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});
