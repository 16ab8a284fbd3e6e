import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { InvalidSettingsError } from "../../lib/context-values.ts";
import { readSettings } from "../../lib/settings.ts";
import { rejectUnknownSettings } from "../../bin/setting-names.ts";
import { scratchFolder } from "../support/running/run-outlive.ts";
import { LIVE, PAGE_CLIENT, TRIAL } from "./synthesised.ts";

function read(context: Readonly<Record<string, unknown>>) {
  return readSettings((name) => context[name]);
}

describe("the settings of a stage", () => {
  it("retain all data by default", () => {
    expect(read(LIVE)).toEqual({
      stage: "live",
      disposable: false,
      retentionDays: 400,
      foldSeconds: 0,
      metrics: { jobAlarms: false, jobMetrics: "stage", metricsMaxSeries: 10_000 },
      openMode: false,
      readers: { kind: "oidc", issuer: "https://login.example.org", audience: "outlive" },
      storage: { tableClass: "infrequent", backupJobs: false },
      capacity: expect.objectContaining({ accountConcurrency: 10, reserveConcurrency: false }) as unknown,
      requestsPerSecond: 50,
      webAcl: false,
      accessLogs: "withRole",
      apiKey: false,
      canary: true,
      erasure: false,
      backup: { backupDays: 0 },
      tracing: false,
    });
  });

  it("log no requests on a disposable stage by default: the role for it is the account's", () => {
    expect(read(TRIAL).accessLogs).toBe("none");
    expect(read({ ...TRIAL, accessLogs: "existingRole" }).accessLogs).toBe("existingRole");
  });

  it("are the same from the command line, where every value is a string, and from cdk.json", () => {
    const fromArguments = { ...TRIAL, retentionDays: "7", foldSeconds: "2", requestsPerSecond: "1000", apiKey: "true" };
    const fromFile = {
      stage: "trial",
      disposable: true,
      openMode: true,
      retentionDays: 7,
      foldSeconds: 2,
      requestsPerSecond: 1000,
      apiKey: true,
    };
    expect(read(fromArguments)).toEqual(read(fromFile));
  });

  it.each([
    ["open mode on a stage with retained data", { openMode: "true" }, /disposable=true if it is a trial/],
    ["a stage with a capital letter", { ...LIVE, stage: "Prod" }, /Invalid stage "Prod". Expected 1 to 16 of a-z/],
    ["a stage of more than 16 characters", { ...LIVE, stage: "a".repeat(17) }, /1 to 16/],
    ["a retention of 0 days", { ...LIVE, retentionDays: "0" }, /"0". Expected a whole number from 1 to 3650/],
    ["collecting for a minute", { ...LIVE, foldSeconds: 60 }, /from 0 to 5/],
    ["an unknown kind of access log", { ...LIVE, accessLogs: "true" }, /withRole, existingRole or none/],
    ["one version of two projectors", { ...LIVE, keepProjectors: "12" }, /12,9 \(output ProjectorVersions\)/],
    ["a version that is an alias", { ...LIVE, keepProjectors: "live,live" }, /two versions/],
    [
      "a trial for which the reservation leaves nothing",
      { ...LIVE, keepProjectors: "12,9", reserveConcurrency: "true", accountConcurrency: "210" },
      /need 254 .*projectors of a trial 42/,
    ],
  ])("reject %s", (_, context, message) => {
    expect(() => read(context)).toThrow(InvalidSettingsError);
    expect(() => read(context)).toThrow(message);
  });
});

describe("a name that is not a setting", () => {
  it.each([
    ["retentiondays", "Unknown setting retentiondays. Write retentionDays."],
    ["oidcAudiance", "Unknown setting oidcAudiance. Settings: stage, disposable,"],
  ])("is rejected: %s", (name, message) => {
    expect(() => rejectUnknownSettings(["stage", name])).toThrow(InvalidSettingsError);
    expect(() => rejectUnknownSettings(["stage", name])).toThrow(message);
  });

  it("does not include the CDK's own names, nor any name that is read", () => {
    const names = new Set<string>(["@aws-cdk/core:checkSecretUsage", "aws:cdk:bundling-stacks", "cli-telemetry"]);
    readSettings((name) => {
      names.add(name);
      return { ...LIVE, ...PAGE_CLIENT }[name];
    });
    expect(names.size).toBeGreaterThan(20);
    expect(() => rejectUnknownSettings([...names])).not.toThrow();
  });
});

describe("a file of log links", () => {
  const folder = scratchFolder();
  afterAll(() => folder.remove());

  function given(text: string) {
    const file = join(folder.path, "links.yaml");
    writeFileSync(file, text);
    return read({ ...LIVE, logLinks: file });
  }

  it("is deployed as JSON, so that no function needs a parser of YAML", () => {
    const text = "links: [{ name: Grafana, url: 'https://grafana.example.org/?pod={pod}' }]";
    const document = '{"links":[{"name":"Grafana","url":"https://grafana.example.org/?pod={pod}"}]}';
    expect(given(text).logLinks).toBe(document);
  });

  it("is refused if it is too long as JSON: aliases count as what they stand for", () => {
    const url = `https://grafana.example.org/${"a".repeat(300)}`;
    const links = Array.from({ length: 9 }, (_, n) => `{ name: G${n}, url: *url }`);
    const text = `links: [{ name: G, url: &url ${url} }, ${links.join(", ")}]`;
    expect(() => given(text)).toThrow("more than 2500 bytes as JSON");
  });

  it.each([
    [
      "a placeholder that does not exist",
      "links: [{ name: G, url: 'https://g.example.org/?p={pods}' }]",
      /links\[0\]\.url: Unknown placeholder/,
    ],
    [
      "a key that does not exist",
      "links: [{ name: G, address: 'https://g.example.org' }]",
      /links\[0\]\.address: Unknown key/,
    ],
    ["no YAML", "links: [", /./],
  ])("is refused before anything is deployed where it has %s", (_, text, problem) => {
    expect(() => given(text)).toThrow(InvalidSettingsError);
    expect(() => given(text)).toThrow(/^Invalid file of log links\. /);
    expect(() => given(text)).toThrow(problem);
  });
});
