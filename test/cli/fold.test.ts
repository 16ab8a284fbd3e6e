import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import type { RunAnswer } from "../../src/explain/run/run-document.ts";
import { skipForRoot } from "../support/running/skip-without.ts";
import { added, jobObject, podObject } from "../support/kubernetes/watch-objects.ts";

interface FoldDocument {
  readonly jobs: readonly JobAnswer[];
  readonly runs: readonly RunAnswer[];
  readonly rejected: readonly { readonly file: string; readonly line: number; readonly reason: string }[];
}

const launcher = fileURLToPath(new URL("../../cli/outlive.js", import.meta.url));
const example = (name: string): string => fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "outlive-fold-"));
afterAll(() => rmSync(folder, { recursive: true }));

function fold(args: readonly string[], input: string | Uint8Array = "") {
  const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, "fold", ...args], {
    encoding: "utf8",
    env: {},
    input,
    maxBuffer: 64 * 1024 * 1024,
  });
  return { status, stdout, stderr };
}
function documentOf(args: readonly string[], input?: string | Uint8Array): FoldDocument {
  const { status, stdout, stderr } = fold(args, input);
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as FoldDocument;
}
function written(name: string, content: string): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

const ttl = example("ttl.ndjson.gz");
const ttlAudit = example("ttl.audit.ndjson.gz");

describe("outlive fold", () => {
  it("answers for every Job of a recording", () => {
    const { jobs, rejected } = documentOf([ttl]);
    expect(jobs.map(({ cluster, namespace, name, verdict }) => [cluster, namespace, name, verdict.state])).toEqual(
      expect.arrayContaining([
        ["recording", "ttl", "nightly", "Complete"],
        ["recording", "ttl", "nightly", "Failed"],
        ["recording", "ttl", "nightly", "Complete"],
      ]),
    );
    expect(jobs.map(({ uid }) => uid)).toEqual(jobs.map(({ uid }) => uid).sort());
    expect(rejected).toEqual([]);
  });

  it("prints the same bytes for any order of the files and of their lines", () => {
    const lines = [ttl, ttlAudit].flatMap((file) => gunzipSync(readFileSync(file)).toString().trim().split("\n"));
    const expected = fold(["--pods", ttl, ttlAudit]).stdout;
    expect(fold(["--pods", ttlAudit, ttl]).stdout).toBe(expected);
    expect(fold(["--pods", "-"], [...lines, ...lines].toReversed().join("\n")).stdout).toBe(expected);
  });

  it("prints the document as JSON with an indent of two", () => {
    const { stdout } = fold([ttl]);
    expect(stdout).toBe(`${JSON.stringify(JSON.parse(stdout), undefined, 2)}\n`);
  });

  it("prints a table with ages at the end of the recording, YAML, or names", () => {
    const [header, ...rows] = fold(["-o", "table", ttl]).stdout.trim().split("\n");
    expect(header).toMatch(/^NAMESPACE +NAME +STATUS/);
    expect(rows.map((row) => row.split(/ +/).slice(0, 3).join(" ")).toSorted()).toEqual([
      "ttl nightly Complete",
      "ttl nightly Complete",
      "ttl nightly Failed",
    ]);
    expect(fold(["-o", "table", "--no-headers", ttl]).stdout).not.toContain("NAMESPACE");
    expect(fold(["-o", "yaml", ttl]).stdout).toMatch(/^jobs:\n {2}- cluster: recording\n/);
    expect(fold(["-o", "name", ttl]).stdout).toBe("job.batch/nightly\n".repeat(3));
  });

  it("reads standard input, gzipped or not", () => {
    expect(documentOf(["-"], readFileSync(ttl))).toEqual(documentOf([ttl]));
    expect(documentOf(["-"], gunzipSync(readFileSync(ttl)))).toEqual(documentOf([ttl]));
  });

  it("answers as of the latest instant of the recording, or of --now", () => {
    expect(documentOf([ttl]).jobs[0]?.asOf.time).toBe("2026-11-21T08:47:38Z");
    expect(documentOf(["--now", "2027-01-01T00:00:00Z", ttl]).jobs[0]?.asOf.time).toBe("2027-01-01T00:00:00Z");
  });

  it("uses the cluster name of --cluster", () => {
    expect(documentOf(["--cluster", "prod-eu", ttl]).jobs[0]?.cluster).toBe("prod-eu");
  });

  it("includes the Pods of each Job with --pods", () => {
    expect(documentOf([ttl]).jobs[0]).not.toHaveProperty("attempts");
    expect(documentOf(["--pods", ttl]).jobs.map(({ attempts }) => attempts?.length)).toEqual([3, 3, 3]);
  });

  it("recognises the kinds of a file, also for Pods without a Job", () => {
    const sweep = { kind: "Sweep", when: ["acme.io/sweep"], ids: { "acme/sweep": "acme.io/sweep" } };
    const kinds = written("kinds.yaml", JSON.stringify([sweep]));
    const labels = { "acme.io/sweep": "s-1" };
    const events = [jobObject({ metadata: { labels } }), podObject({ metadata: { ownerReferences: [], labels } })];
    const file = written("sweep.ndjson", events.map((event) => JSON.stringify(added(event))).join("\n"));
    const { jobs, runs } = documentOf(["--kinds", kinds, "--pod-runs", "sweep,workflows", file]);
    expect(jobs[0]?.externalIds).toEqual({ "acme/sweep": "s-1" });
    expect(runs).toMatchObject([{ kind: "Sweep", name: "s-1" }]);
    expect(documentOf([file]).jobs[0]?.externalIds).toEqual({});
    expect(fold(["--pod-runs", "Sweep", file]).stderr).toContain('there is no kind "Sweep"');
    expect(fold(["--kinds", file, file])).toMatchObject({ status: 2, stderr: expect.stringContaining(file) as string });
  });

  it("lists unreadable lines, and answers from the rest", () => {
    const job = JSON.stringify(jobObject());
    const noUid = JSON.stringify(jobObject({ metadata: { uid: undefined, name: "other" } }));
    const file = written("bad.ndjson", [job, "garbage", noUid, job.slice(0, 80)].join("\n"));
    const { stdout, stderr } = fold([file]);
    const { jobs, rejected } = JSON.parse(stdout) as FoldDocument;
    expect(jobs.map(({ name }) => name)).toEqual(["report"]);
    expect(rejected).toEqual([
      { file, line: 2, reason: "The line is not JSON: a watch event starts with `{`." },
      {
        file,
        line: 3,
        reason: "object.metadata.uid: The object has no uid, which distinguishes it from others of the same name.",
      },
      { file, line: 4, reason: "The object that begins here is truncated within a string." },
    ]);
    expect(stderr).toContain("3 lines could not be read");
  });

  it("lists 10,000 unreadable lines and counts the others", () => {
    const { status, stdout, stderr } = fold(["-"], "garbage\n".repeat(10_005));
    expect(status).toBe(2);
    expect((JSON.parse(stdout) as FoldDocument).rejected).toHaveLength(10_000);
    expect(stderr).toContain('10005 lines could not be read: "rejected" lists the first 10000');
  });

  it("names a Job without an observed object after its Pods, in order among the others", () => {
    const seen = { namespace: "night", name: "backup", uid: "u1" };
    const later = { namespace: "night", name: "restore", uid: "u2" };
    const events = [podObject(), jobObject({ metadata: later }), jobObject({ metadata: seen })].map(added);
    const { jobs } = documentOf(["-"], events.map((event) => JSON.stringify(event)).join("\n"));
    expect(jobs.map(({ namespace, name }) => `${namespace}/${name}`)).toEqual([
      "night/backup",
      "night/report",
      "night/restore",
    ]);
    expect(jobs[1]).toMatchObject({ createdAt: "2026-11-21T08:24:44Z", completeness: { level: "gaps" } });
  });

  it("prints no control characters", () => {
    const labels = { app: "\u001b[2J\u009b31m\u202eevil\u2028" };
    const { stdout } = fold(["-"], JSON.stringify(jobObject({ metadata: { labels } })));
    expect(stdout).not.toMatch(/[^\P{Cc}\n]|\u2028|\u202e/u);
    expect((JSON.parse(stdout) as FoldDocument).jobs[0]?.labels).toEqual(labels);
  });
});

describe("outlive fold without readable events", () => {
  it("exits with status 2 and lists the unreadable lines", () => {
    const { status, stdout, stderr } = fold(["-"], "garbage\n");
    expect(status).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ jobs: [], rejected: [{ line: 1 }] });
    expect(stderr).toBe(
      '1 line could not be read: "rejected" lists them.\n' +
        "error: No events of a cluster could be read from -. The lines above say why.\n",
    );
  });

  it.each([
    ["no file", [join(folder, "absent.ndjson")], /There is no file .*absent\.ndjson\. Check the path\./],
    ["a folder", [folder], /it is a folder\. Name the files in it\./],
    ["an empty file", [written("empty.ndjson", "")], /No events in .*empty\.ndjson/],
    ["empty input", ["-"], /No events in -.*"kubectl get jobs,pods -A --watch --output-watch-events -o json"/],
    ["no name", [], /missing required argument/],
    ["an invalid time", ["--now", "soon", ttl], /'soon' is invalid.*RFC 3339.*2h/],
    ["an invalid cluster name", ["--cluster", "a#b", ttl], /"a#b" cannot be a cluster's name/],
    ["another format", ["-o", "toml", ttl], /toml/],
  ])("reports %s in one sentence, with exit status 2", (_, args, sentence) => {
    const { status, stdout, stderr } = fold(args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(sentence);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });

  it.skipIf(skipForRoot())("reports that access to the file is denied", () => {
    const file = written("secret.ndjson", "{}");
    chmodSync(file, 0);
    const { status, stderr } = fold([file]);
    expect(status).toBe(2);
    expect(stderr).toContain("access denied");
  });

  it("checks every file name before it reads the first file", () => {
    expect(fold([ttl, join(folder, "absent.ndjson")])).toMatchObject({ status: 2, stdout: "" });
  });
});

describe("outlive fold on a closed pipe", () => {
  it.skipIf(!existsSync("/bin/sh"))("exits without an error", () => {
    const { stderr, status } = spawnSync(
      "/bin/sh",
      [
        "-c",
        '"$0" "$1" fold --pods "$2" | head -n 1',
        process.execPath,
        launcher,
        example("pod-gc-ate-success.ndjson.gz"),
      ],
      { encoding: "utf8", env: { PATH: "/usr/bin:/bin" } },
    );
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  });
});
