import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import { jobObject, podObject } from "../support/kubernetes/watch-objects.ts";
import { example, runOutlive, scratchFolder } from "../support/running/run-outlive.ts";

const scratch = scratchFolder();
const outlive = (...args: readonly string[]) => runOutlive(args, { cwd: scratch.path });
const inScratch = (file: string): string => join(scratch.path, file);

beforeAll(async () => {
  const imported = await outlive(
    "import",
    "--cluster",
    "ttl",
    example("ttl.ndjson.gz"),
    example("ttl.audit.ndjson.gz"),
  );
  expect(imported).toMatchObject({ status: 0, stdout: "" });
  expect(imported.stderr).toMatch(
    /^Imported \d+ events as cluster ttl into outlive\.sqlite: 188 facts in 1 new segment\.\n$/,
  );
});
afterAll(() => scratch.remove());

/** A Job whose name was used three times, each removed by the TTL controller: nothing of it is left in the cluster. */
describe("outlive, asked about Jobs that are long gone", () => {
  it("lists them as kubectl lists those that exist", async () => {
    const { status, stdout } = await outlive("jobs", "-n", "ttl");
    expect(status).toBe(0);
    expect(stdout.split("\n").map((line) => line.split(/ {3,}/).slice(0, 3))).toEqual([
      ["NAME", "STATUS", "COMPLETIONS"],
      ["nightly", "Complete", "3/3"],
      ["nightly", "Failed", "0/3"],
      ["nightly", "Complete", "3/3"],
      [""],
    ]);
  });

  it.each([
    [["-o", "name"], "job.batch/nightly\njob.batch/nightly\njob.batch/nightly\n"],
    [["-o", "name", "--state", "Failed"], "job.batch/nightly\n"],
    [["-o", "name", "-l", "nosuch=label"], ""],
    [["-o", "name", "--field-selector", "state=Complete", "--limit", "1"], "job.batch/nightly\n"],
  ])("prints names: %j", async (args, stdout) => {
    expect(await outlive("jobs", "-A", ...args)).toMatchObject({ status: 0, stdout });
  });

  it("gives the newest Job of a name, and says that there were others", async () => {
    const { status, stdout, stderr } = await outlive("get", "job/nightly", "-n", "ttl", "--no-headers");
    expect({ status, state: stdout.split(/ {3,}/)[1] }).toEqual({ status: 0, state: "Complete" });
    expect(stderr).toMatch(/used 3 times/);
  });

  it("shows the history of the newest Job of a name without facts about the earlier ones", async () => {
    const { stdout } = await outlive("history", "nightly", "-n", "ttl", "-o", "json", "--limit", "0");
    expect(stdout.match(/had an Event \(SuccessfulCreate\)/g)).toHaveLength(3);
    expect(stdout.match(/had an Event \(Completed\)/g)).toHaveLength(1);
    expect(stdout).not.toContain("BackoffLimitExceeded");
  });

  it("gives those of several that are known, and names the others", async () => {
    const { status, stdout, stderr } = await outlive("get", "nosuch", "nightly", "no-other", "-n", "ttl", "-o", "name");
    expect({ status, stdout }).toEqual({ status: 1, stdout: "job.batch/nightly\n" });
    expect(stderr).toMatch(/^error: Job "nosuch" not found .* Job "no-other" not found /);
  });

  it("gives the same document as JSON and YAML, with attempts where they are asked for", async () => {
    const json = JSON.parse((await outlive("get", "nightly", "-n", "ttl", "-o", "json", "--pods")).stdout) as JobAnswer;
    const yaml = (await outlive("get", "jobs/nightly", "-n", "ttl", "-o", "yaml")).stdout;
    expect(json).toMatchObject({
      name: "nightly",
      verdict: { state: "Complete", final: true },
      deletedBy: { actor: "ttl-after-finished-controller" },
    });
    expect(json.attempts).toHaveLength(json.pods.seen);
    expect(yaml).toContain(`uid: ${json.uid}\n`);
    expect(yaml).toContain("generations:\n");
  });

  it("lists Pods, facts and reasons", async () => {
    const [pods, history, why] = await Promise.all([
      outlive("pods", "nightly", "-n", "ttl"),
      outlive("history", "nightly", "-n", "ttl"),
      outlive("why", "nightly", "-n", "ttl"),
    ]);
    expect(pods.stdout).toMatch(/^NAME {3,}OUTCOME {3,}EXIT/);
    expect(history.stdout).toMatch(/JobCreated {3,}job\/nightly/);
    expect(why.stdout).toMatch(
      /^Complete: 3 of 3 succeeded.*\njob\/nightly in ttl: Complete \(.*\)\n\n(?: {2}- .*\n)+\nTIME {3,}RESOURCEVERSION/,
    );
  });

  it.each([
    [["--for=complete"], 0],
    [["--for=condition=complete"], 0],
    [["--for=finished"], 0],
    [["--for=failed"], 1],
    [["--for=complete", "-n", "nowhere", "--timeout=0"], 3],
  ])("waits %j and exits with %i", async (args, status) => {
    expect((await outlive("wait", "job/nightly", "-n", "ttl", ...args)).status).toBe(status);
  });

  it.each<[string, RegExp]>([
    ["why nightly -o wide", /^Complete: .*\n\nTIME {3,}RESOURCEVERSION/s],
    ["why nightly -o name", /^job\.batch\/nightly\n$/],
    ["history nightly -o wide", /^TIME .* VERSION {3,}DETAIL\n/],
    ["history nightly -o name --limit 0", /^job\/nightly\n(pod\/nightly-\w{5}\n){3}$/],
    ["summary -o wide", /^WHAT {3,}COUNT\n/],
  ])("answers in the format that is asked for: %s", async (line, printed) => {
    const { status, stdout } = await outlive(...line.split(" "), "-n", "ttl");
    expect(status).toBe(0);
    expect(stdout).toMatch(printed);
  });

  it.each([
    ["summary", /A summary counts Jobs and names none: ask with table, wide, json or yaml\./],
    ["gaps", /A gap has no name: ask with table, wide, json or yaml\./],
  ])("says why %s has no names to print", async (command, sentence) => {
    const { status, stderr } = await outlive(command, "-o", "name");
    expect(status).toBe(2);
    expect(stderr).toMatch(sentence);
  });

  it("counts them in all namespaces", async () => {
    const summary: unknown = JSON.parse((await outlive("summary", "-o", "json")).stdout);
    expect(summary).toMatchObject({ jobs: 3, byState: { Complete: 2, Failed: 1 } });
  });

  it("says that other namespaces have Jobs if this one has none", async () => {
    expect(await outlive("jobs")).toMatchObject({
      status: 0,
      stderr: "No Jobs found in namespace default. Other namespaces have some: list them with -A.\n",
    });
    expect((await outlive("jobs", "--name", "none")).stderr).toBe("No Jobs found in namespace default.\n");
    expect((await outlive("jobs", "-A", "--name", "none")).stderr).toBe("No Jobs found.\n");
  });

  it("explains one as of an instant", async () => {
    const { items } = JSON.parse((await outlive("history", "nightly", "-n", "ttl", "-o", "json")).stdout) as {
      readonly items: readonly { readonly time: string; readonly kind: string }[];
    };
    const started = items.find(({ kind }) => kind === "PodStarted")?.time ?? "";
    const early = await outlive("why", "nightly", "-n", "ttl", "--as-of", started);
    expect(early).toMatchObject({ status: 0, stderr: "" });
    expect(early.stdout).toMatch(/: Running \(/);
    const never = await outlive("why", "nightly", "-n", "ttl", "--as-of", "2000-01-01T00:00:00Z");
    expect(never).toMatchObject({ status: 2, stdout: "" });
    expect(never.stderr).toContain("before the log");
  });

  it("knows its cluster, registers another, and has no gaps", async () => {
    expect((await outlive("clusters", "-o", "name")).stdout).toBe("cluster/ttl\n");
    const database = ["--database", "registered.sqlite"];
    expect((await outlive("clusters", "register", "prod-eu", ...database)).status).toBe(0);
    expect((await outlive("clusters", "-o", "name", ...database)).stdout).toBe("cluster/prod-eu\n");
    for (const format of ["table", "wide"]) {
      const gaps = await outlive("gaps", "-o", format);
      expect(gaps).toMatchObject({ status: 0, stdout: "", stderr: "No gaps are known.\n" });
    }
  });

  it("takes the same recording twice without a change, verifies it, replays it, and copies it", async () => {
    const before = (await outlive("jobs", "-A", "-o", "json")).stdout;
    const again = await outlive("import", "--cluster", "ttl", example("ttl.ndjson.gz"), example("ttl.audit.ndjson.gz"));
    expect(again.stderr).toMatch(/188 facts in 0 new segments; 1 segment was there already/);
    expect((await outlive("verify")).status).toBe(0);
    expect((await outlive("replay")).stderr).toMatch(/projection B answers now/);
    expect((await outlive("jobs", "-A", "-o", "json")).stdout).toBe(before);
    expect((await outlive("backup", "copy.sqlite")).status).toBe(0);
    expect((await outlive("jobs", "-A", "-o", "json", "--database", "copy.sqlite")).stdout).toBe(before);
    expect((await outlive("backup", "copy.sqlite")).status).toBe(2);
  });

  it("colours only where it is told to, or where there is a terminal", async () => {
    expect((await outlive("jobs", "-A")).stdout).not.toContain("\u001b");
    expect((await outlive("jobs", "-A", "--color", "always")).stdout).toContain("\u001b[32mComplete\u001b[39m");
  });
});

describe("outlive, given one of each", () => {
  const database = ["--database", "one.sqlite"];

  it("counts as people do", async () => {
    writeFileSync(inScratch("one.ndjson"), `not JSON\n${JSON.stringify(jobObject())}\n`);
    expect((await outlive("import", "one.ndjson", ...database)).stderr).toMatch(
      /Imported 1 event as .*: \d+ facts in 1 new segment; 1 place could not be read\.\n$/,
    );
    expect((await outlive("import", "one.ndjson", ...database)).stderr).toContain("1 segment was there already");
    expect((await outlive("verify", ...database)).stderr).toMatch(/^1 Job is what 1 segment of the log says, byte/);
    expect((await outlive("replay", ...database)).stderr).toMatch(/^Rebuilt from 1 segment;/);
  });
});

describe("outlive, asked about a Job that was never seen", () => {
  const database = ["--database", "unseen.sqlite", "-n", "night"];

  it("has it in lists and by the name that its Pods have of it", async () => {
    writeFileSync(inScratch("unseen.ndjson"), JSON.stringify(podObject()));
    expect((await outlive("import", "unseen.ndjson", "--database", "unseen.sqlite")).status).toBe(0);
    expect((await outlive("jobs", "-o", "name", ...database)).stdout).toBe("job.batch/report\n");
    const { stdout } = await outlive("get", "report", "-o", "json", ...database);
    expect(JSON.parse(stdout)).toMatchObject({ createdAt: "2026-11-21T08:24:44Z", verdict: { state: "Unknown" } });
    expect((await outlive("verify", "--database", "unseen.sqlite")).status).toBe(0);
  });
});

describe("outlive, given what it cannot use", () => {
  beforeAll(() => {
    writeFileSync(
      inScratch("text.sqlite"),
      "this is no database, but it is long enough to be looked at as if it were one".repeat(20),
    );
    writeFileSync(inScratch("empty.ndjson"), "");
    writeFileSync(inScratch("rubbish.ndjson"), "{\nnot json\n");
    const foreign = new DatabaseSync(inScratch("foreign.sqlite"));
    foreign.exec("CREATE TABLE songs (title TEXT)");
    foreign.close();
  });

  it.each<[string, readonly string[], number, RegExp]>([
    [
      "a database that is not there",
      ["jobs", "--database", "none.sqlite"],
      2,
      /no database none\.sqlite.*outlive import/,
    ],
    ["a folder for a database", ["jobs", "--database", "."], 2, /is a folder/],
    ["a text for a database", ["jobs", "--database", "text.sqlite"], 2, /not an SQLite database/],
    ["somebody else's database", ["jobs", "--database", "foreign.sqlite"], 2, /not one of Outlive's/],
    [
      "a database in a folder that is not there",
      ["import", "--database", "no/such/file.sqlite", "empty.ndjson"],
      2,
      /folder exists/,
    ],
    ["a recording that is not there", ["import", "none.ndjson", "--database", "new.sqlite"], 2, /no file none\.ndjson/],
    ["an empty recording", ["import", "empty.ndjson", "--database", "new.sqlite"], 2, /nothing in it/],
    ["rubbish", ["import", "rubbish.ndjson", "--database", "new.sqlite"], 2, /rubbish\.ndjson:\d+: /],
    ["a cluster's name that is none", ["import", "--cluster", "a#b", "empty.ndjson"], 2, /cannot be a cluster's name/],
    ["a Job nobody knows", ["get", "nighty", "-n", "ttl"], 1, /Did you mean nightly/],
    ["a Job of another namespace", ["get", "nightly"], 1, /exists in namespace ttl/],
    ["a cluster nobody knows", ["get", "nightly", "--cluster", "west"], 1, /Known clusters: ttl/],
    ["an empty namespace", ["get", "nightly", "-n", ""], 2, /No namespace is called "": name one/],
    ["an empty namespace of a list", ["jobs", "-n", ""], 2, /No namespace is called "": name one/],
    ["a namespace that is a step in a path", ["why", "nightly", "-n", ".."], 2, /No namespace is called "\.\."/],
    ["an empty cluster", ["get", "nightly", "--cluster", ""], 2, /"" cannot be a cluster's name/],
    ["a Pod for a Job", ["get", "pod/nightly"], 2, /knows Jobs only/],
    ["a state there is not", ["jobs", "--state", "Done"], 2, /"Done" is not a state/],
    ["a selector that breaks off", ["jobs", "-l", "a in (b"], 2, /character 8/],
    ["a limit that is none", ["jobs", "--limit", "many"], 2, /whole number/],
    ["a time that is none", ["jobs", "--created-after", "yesterday"], 2, /RFC 3339/],
    ["a format there is not", ["jobs", "-o", "xml"], 2, /Allowed choices are table, wide, json, yaml, name/],
    ["a time span that is none", ["wait", "nightly", "--for=complete", "--timeout", "soon"], 2, /90s, 5m or 1h30m/],
    ["nothing to wait for", ["wait", "nightly"], 2, /--for/],
    ["an address that is none", ["serve", "--listen", "here"], 2, /HOST:PORT/],
    ["an address beyond this machine and no token", ["serve", "--listen", "0.0.0.0:0"], 2, /OUTLIVE_TOKEN/],
    ["an empty token", ["serve", "--listen", "127.0.0.1:0", "--token", ""], 2, /empty/],
    ["a retention of nothing", ["serve", "--retention", "0"], 2, /at least 1/],
    [
      "a server that is not there",
      ["jobs", "--server", "http://127.0.0.1:1"],
      2,
      /Cannot reach the server at .*outlive serve/,
    ],
    ["a server that is no URL", ["jobs", "--server", "http://"], 2, /not the URL of a server/],
    ["a command there is not", ["jbos"], 2, /jobs/],
  ])("answers %s with one sentence", async (_, args, status, stderr) => {
    const ran = await outlive(...args);
    expect(ran).toMatchObject({ status, stdout: "" });
    expect(ran.stderr).toMatch(stderr);
    expect(ran.stderr).not.toMatch(/^\s+at /m);
  });

  it("shows the stack to whoever debugs", async () => {
    const ran = await runOutlive(["jobs", "--database", "text.sqlite"], {
      cwd: scratch.path,
      env: { OUTLIVE_DEBUG: "1" },
    });
    expect(ran.stderr).toMatch(/^\s+at /m);
  });

  it("says that a later release wrote the database", async () => {
    expect((await outlive("clusters", "register", "later", "--database", "later.sqlite")).status).toBe(0);
    const database = new DatabaseSync(inScratch("later.sqlite"));
    database.exec("PRAGMA user_version = 999");
    database.close();
    expect((await outlive("jobs", "--database", "later.sqlite")).stderr).toMatch(/schema 999.*Update Outlive/);
  });

  it("says that another process holds the database", async () => {
    expect((await outlive("clusters", "register", "held", "--database", "held.sqlite")).status).toBe(0);
    const database = new DatabaseSync(inScratch("held.sqlite"));
    database.exec("BEGIN IMMEDIATE");
    const asked = await outlive("clusters", "list", "-o", "name", "--database", "held.sqlite");
    const ran = await outlive("clusters", "register", "other", "--database", "held.sqlite");
    database.exec("ROLLBACK");
    database.close();
    expect(asked, "questions need not wait for who writes").toMatchObject({ status: 0, stdout: "cluster/held\n" });
    expect(ran.status).toBe(2);
    expect(ran.stderr).toMatch(/locked by another process/);
  });

  it("says that its port is taken", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    const ran = await outlive("serve", "--listen", `127.0.0.1:${port}`);
    other.close();
    expect(ran.status).toBe(2);
    expect(ran.stderr).toMatch(new RegExp(`^error: Port ${port} of 127\\.0\\.0\\.1 is in use`));
  });

  it("says that a server is not one of Outlive's", async () => {
    const other = createServer((_request, response) => response.end("<html>"));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    const ran = await outlive("jobs", "--server", `127.0.0.1:${port}`);
    other.close();
    expect(ran.status).toBe(2);
    expect(ran.stderr).toMatch(/Check that an Outlive server runs there/);
  });
});

describe("every command", () => {
  it.each([
    "demo",
    "serve",
    "import",
    "jobs",
    "get",
    "pods",
    "history",
    "why",
    "wait",
    "summary",
    "clusters list",
    "clusters register",
    "gaps",
    "replay",
    "verify",
    "backup",
    "fold",
  ])("%s has help with examples", async (command) => {
    const { status, stdout } = await outlive(...command.split(" "), "--help");
    expect(status).toBe(0);
    expect(stdout).toMatch(/Examples:\n {2}# /);
  });
});
