import { Duration, Lazy, Stack } from "aws-cdk-lib";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { describe, expect, it } from "vitest";
import { contextOfProps } from "../../lib/context-of-props.ts";
import type { OutliveProps } from "../../lib/outlive-props.ts";
import { readSettings } from "../../lib/settings.ts";
import { LIVE, PAGE_CLIENT, unbundled } from "./synthesised.ts";

const settingsOf = (props: OutliveProps) => readSettings(contextOfProps(props));
const scope = () => new Stack(unbundled(), "Stack");

describe("the properties of a stage", () => {
  it("have defaults: IAM principals read, and all data is retained", () => {
    expect(settingsOf({})).toMatchObject({
      stage: "live",
      disposable: false,
      readers: { kind: "iam" },
      openMode: false,
      retentionDays: 400,
      capacity: { peakJobsPerSecond: 300 },
    });
  });

  it("are numbers, flags and durations", () => {
    const props = {
      retention: Duration.days(30),
      archive: true,
      logRetention: Duration.days(7),
      peakJobsPerSecond: 600,
    };
    expect(settingsOf({ ...props, archiveLock: Duration.days(90), tracing: true })).toMatchObject({
      retentionDays: 30,
      archive: { logDays: 7, lockDays: 90 },
      capacity: { peakJobsPerSecond: 600 },
      tracing: true,
    });
  });

  it("name an issuer, and the page as its client, as the settings do", () => {
    const page = {
      clientId: PAGE_CLIENT.pageClientId,
      authorizationUrl: PAGE_CLIENT.pageAuthorizationUrl,
      tokenUrl: PAGE_CLIENT.pageTokenUrl,
    };
    const readers = { kind: "oidc", issuer: LIVE.oidcIssuer, audience: LIVE.oidcAudience, page } as const;
    expect(settingsOf({ readers })).toEqual(readSettings((name) => ({ ...LIVE, ...PAGE_CLIENT })[name]));
  });

  it("open a disposable stage only", () => {
    expect(settingsOf({ readers: { kind: "open" }, disposable: true }).openMode).toBe(true);
    expect(() => settingsOf({ readers: { kind: "open" } })).toThrow("disposable=true if it is a trial");
  });

  it("name log groups of this app, whose names are known after the deployment", () => {
    const logGroup = new LogGroup(scope(), "Audit");
    const groups = settingsOf({ auditLogGroups: [{ cluster: "prod-eu", logGroup }] }).auditLogs?.groups;
    expect([...(groups ?? [])]).toEqual([[logGroup.logGroupName, "prod-eu"]]);
  });

  it("refuse a text that is known only after the deployment, where the template depends on it", () => {
    const tableClass = Lazy.string({ produce: () => "infrequent" }) as "infrequent";
    expect(() => settingsOf({ tableClass })).toThrow("Invalid tableClass");
  });

  it("refuse a secret whose ARN is not complete, which no permission could name", () => {
    const rulesSecret = Secret.fromSecretNameV2(scope(), "Secret", "rules");
    expect(() => settingsOf({ rulesSecret })).toThrow("Secret.fromSecretCompleteArn");
  });

  it.each<readonly [OutliveProps, string]>([
    [{ stage: "Live" }, "Invalid stage"],
    [{ retention: Duration.days(0) }, "Invalid retentionDays 0"],
    [{ retention: Duration.hours(36) }, "days"],
    [{ peakJobsPerSecond: 0 }, "Invalid peakJobsPerSecond 0"],
    [{ archiveLock: Duration.days(3) }, "archiveLockDays needs an archive"],
  ])("refuse %j", (props, message) => {
    expect(() => settingsOf(props)).toThrow(message);
  });
});
