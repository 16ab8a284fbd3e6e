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
    /^Imported \d+ events as cluster ttl into outlive\.sqlite: 197 facts in 1 new segment\.\n$/,
  );
});
afterAll(() => scratch.remove());

/** A Job whose name was used three times, each removed by the TTL controller: nothing of it is left in the cluster. */
describe("outlive, for Jobs that were deleted", () => {
  it("lists them in the columns of kubectl", async () => {
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

  it("shows the newest Job of a name, and mentions the others", async () => {
    const { status, stdout, stderr } = await outlive("get", "job/nightly", "-n", "ttl", "--no-headers");
    expect({ status, state: stdout.split(/ {3,}/)[1] }).toEqual({ status: 0, state: "Complete" });
    expect(stderr).toMatch(/^3 Jobs had the name nightly/);
  });

  it("shows the history of the newest Job of a name without facts about the earlier ones", async () => {
    const { stdout } = await outlive("history", "nightly", "-n", "ttl", "-o", "json", "--limit", "0");
    expect(stdout.match(/had an Event \(SuccessfulCreate\)/g)).toHaveLength(3);
    expect(stdout.match(/had an Event \(Completed\)/g)).toHaveLength(1);
    expect(stdout).not.toContain("BackoffLimitExceeded");
  });

  it("shows the known Jobs of several, and fails for the others", async () => {
    const { status, stdout, stderr } = await outlive("get", "nosuch", "nightly", "no-other", "-n", "ttl", "-o", "name");
    expect({ status, stdout }).toEqual({ status: 1, stdout: "job.batch/nightly\n" });
    expect(stderr).toMatch(/^error: Job "nosuch" not found .* Job "no-other" not found /);
  });

  it("prints the same document as JSON and YAML, and Pods with --pods", async () => {
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
    expect(why.stdout).toMatch(/^Complete: 3 of 3 succeeded.*\njob\/nightly in ttl: Complete \(.*\)\n\n {2}- /);
    expect(why.stdout).toMatch(/\n\nTIME {3,}RESOURCEVERSION/);
  });

  it.each([
    [["--for=complete"], 0],
    [["--for=condition=complete"], 0],
    [["--for=finished"], 0],
    [["--for=failed"], 1],
    [["--for=complete", "-n", "nowhere", "--timeout=0"], 3],
  ])("wait %j exits with status %i", async (args, status) => {
    expect((await outlive("wait", "job/nightly", "-n", "ttl", ...args)).status).toBe(status);
  });

  it.each<[string, RegExp]>([
    ["why nightly -o wide", /^Complete: .*\n\nTIME {3,}RESOURCEVERSION/s],
    ["why nightly -o name", /^job\.batch\/nightly\n$/],
    ["history nightly -o wide", /^TIME .* VERSION {3,}DETAIL\n/],
    ["history nightly -o name --limit 0", /^job\/nightly\n(pod\/nightly-\w{5}\n){3}$/],
    ["summary -o wide", /^WHAT {3,}COUNT\n/],
  ])("prints the format of -o: %s", async (line, printed) => {
    const { status, stdout } = await outlive(...line.split(" "), "-n", "ttl");
    expect(status).toBe(0);
    expect(stdout).toMatch(printed);
  });

  it.each([
    ["summary", /A summary has no names\. Use table, wide, json, yaml or csv\./],
    ["gaps", /Gaps have no names\. Use table, wide, json, yaml or csv\./],
  ])("rejects -o name for %s and names the other formats", async (command, sentence) => {
    const { status, stderr } = await outlive(command, "-o", "name");
    expect(status).toBe(2);
    expect(stderr).toMatch(sentence);
  });

  it("counts the Jobs of all namespaces", async () => {
    const summary: unknown = JSON.parse((await outlive("summary", "-o", "json")).stdout);
    expect(summary).toMatchObject({ jobs: 3, byState: { Complete: 2, Failed: 1 } });
  });

  it("mentions Jobs of other namespaces if this one has none", async () => {
    expect(await outlive("jobs")).toMatchObject({
      status: 0,
      stderr: "No Jobs found in namespace default. Other namespaces have some: list them with -A.\n",
    });
    expect((await outlive("jobs", "--name", "none")).stderr).toBe("No Jobs found in namespace default.\n");
    expect((await outlive("jobs", "-A", "--name", "none")).stderr).toBe("No Jobs found.\n");
  });

  it("explains a Job as of an instant", async () => {
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

  it("lists its cluster, registers another, and has no gaps", async () => {
    expect((await outlive("clusters", "-o", "name")).stdout).toBe("cluster/ttl\n");
    const database = ["--database", "registered.sqlite"];
    expect((await outlive("clusters", "register", "prod-eu", ...database)).status).toBe(0);
    expect((await outlive("clusters", "-o", "name", ...database)).stdout).toBe("cluster/prod-eu\n");
    for (const format of ["table", "wide"]) {
      const gaps = await outlive("gaps", "-o", format);
      expect(gaps).toMatchObject({ status: 0, stdout: "", stderr: "No monitoring gaps.\n" });
    }
  });

  it("imports a recording twice without a change, verifies it, replays it, and copies it", async () => {
    const before = (await outlive("jobs", "-A", "-o", "json")).stdout;
    const again = await outlive("import", "--cluster", "ttl", example("ttl.ndjson.gz"), example("ttl.audit.ndjson.gz"));
    expect(again.stderr).toMatch(/197 facts in 0 new segments; 1 segment already in the log/);
    expect((await outlive("verify")).status).toBe(0);
    expect((await outlive("replay")).stderr).toMatch(/Projection B is live/);
    expect((await outlive("jobs", "-A", "-o", "json")).stdout).toBe(before);
    expect((await outlive("backup", "copy.sqlite")).status).toBe(0);
    expect((await outlive("jobs", "-A", "-o", "json", "--database", "copy.sqlite")).stdout).toBe(before);
    expect((await outlive("backup", "copy.sqlite")).status).toBe(2);
  });

  it("tries a projection beside the one that answers, compares the two, switches, and goes back", async () => {
    const database = ["--database", "copy.sqlite"];
    expect(await outlive("compare", ...database)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("outlive replay --trial") as unknown,
    });
    expect(await outlive("switch", ...database)).toMatchObject({ status: 2 });
    const before = (await outlive("jobs", "-A", "-o", "json", ...database)).stdout;
    expect((await outlive("replay", "--trial", ...database)).stderr).toMatch(/Projection B still answers/);
    const compared = await outlive("compare", "-o", "json", ...database);
    expect(compared).toMatchObject({ status: 0 });
    expect(JSON.parse(compared.stdout)).toEqual({ jobs: 3, different: [], differentBeyond: 0 });
    for (const live of ["A", "B"]) {
      expect((await outlive("switch", ...database)).stderr).toContain(`Projection ${live} answers.`);
      expect((await outlive("jobs", "-A", "-o", "json", ...database)).stdout).toBe(before);
    }
    expect((await outlive("switch", "--end", ...database)).stderr).toContain("The trial has ended.");
    expect(await outlive("switch", ...database)).toMatchObject({ status: 2 });
  });

  it("colours the output only with --color or on a terminal", async () => {
    expect((await outlive("jobs", "-A")).stdout).not.toContain("\u001b");
    expect((await outlive("jobs", "-A", "--color", "always")).stdout).toContain("\u001b[32mComplete\u001b[39m");
  });
});

describe("outlive, for one of each thing", () => {
  const database = ["--database", "one.sqlite"];

  it("uses the singular", async () => {
    writeFileSync(inScratch("one.ndjson"), `not JSON\n${JSON.stringify(jobObject())}\n`);
    expect((await outlive("import", "one.ndjson", ...database)).stderr).toMatch(
      /Imported 1 event as .*: \d+ facts in 1 new segment; 1 line could not be read\.$/m,
    );
    expect((await outlive("import", "one.ndjson", ...database)).stderr).toContain("1 segment already in the log");
    expect((await outlive("verify", ...database)).stderr).toMatch(
      /^Verified 1 Job against 1 segment of the log: no differences\.$/m,
    );
    expect((await outlive("replay", ...database)).stderr).toMatch(/^Replayed 1 segment\./);
  });
});

describe("outlive, for a Job whose object was never observed", () => {
  const database = ["--database", "unseen.sqlite", "-n", "night"];

  it("lists it, and finds it by the name in its Pods", async () => {
    writeFileSync(inScratch("unseen.ndjson"), JSON.stringify(podObject()));
    expect((await outlive("import", "unseen.ndjson", "--database", "unseen.sqlite")).status).toBe(0);
    expect((await outlive("jobs", "-o", "name", ...database)).stdout).toBe("job.batch/report\n");
    const { stdout } = await outlive("get", "report", "-o", "json", ...database);
    expect(JSON.parse(stdout)).toMatchObject({ createdAt: "2026-11-21T08:24:44Z", verdict: { state: "Unknown" } });
    expect((await outlive("verify", "--database", "unseen.sqlite")).status).toBe(0);
  });
});

describe("outlive, for invalid arguments and files", () => {
  beforeAll(() => {
    writeFileSync(
      inScratch("text.sqlite"),
      "this is not a database, but it is long enough to look like one".repeat(20),
    );
    writeFileSync(inScratch("empty.ndjson"), "");
    writeFileSync(inScratch("rubbish.ndjson"), "{\nnot json\n");
    const foreign = new DatabaseSync(inScratch("foreign.sqlite"));
    foreign.exec("CREATE TABLE songs (title TEXT)");
    foreign.close();
  });

  it.each<[string, readonly string[], number, RegExp]>([
    ["a missing database", ["jobs", "--database", "none.sqlite"], 2, /no database none\.sqlite.*outlive import/],
    ["a folder as a database", ["jobs", "--database", "."], 2, /is a folder/],
    ["a text file as a database", ["jobs", "--database", "text.sqlite"], 2, /not an SQLite database/],
    ["a database of another program", ["jobs", "--database", "foreign.sqlite"], 2, /not one of Outlive's/],
    [
      "a database in a missing folder",
      ["import", "--database", "no/such/file.sqlite", "empty.ndjson"],
      2,
      /folder exists/,
    ],
    ["a missing recording", ["import", "none.ndjson", "--database", "new.sqlite"], 2, /no file none\.ndjson/],
    ["an empty recording", ["import", "empty.ndjson", "--database", "new.sqlite"], 2, /No events of a cluster/],
    ["a recording without JSON", ["import", "rubbish.ndjson", "--database", "new.sqlite"], 2, /rubbish\.ndjson:\d+: /],
    ["an invalid name of a cluster", ["import", "--cluster", "a#b", "empty.ndjson"], 2, /cannot be a cluster's name/],
    ["an unknown Job", ["get", "nighty", "-n", "ttl"], 1, /Did you mean nightly/],
    ["a Job of another namespace", ["get", "nightly"], 1, /exists in namespace ttl/],
    ["an unknown cluster", ["get", "nightly", "--cluster", "west"], 1, /Known clusters: ttl/],
    ["an empty namespace", ["get", "nightly", "-n", ""], 2, /"" is not a valid name of a namespace/],
    ["an empty namespace of a list", ["jobs", "-n", ""], 2, /"" is not a valid name of a namespace/],
    ["a namespace that is a step in a path", ["why", "nightly", "-n", ".."], 2, /"\.\." is not a valid name/],
    ["an empty cluster", ["get", "nightly", "--cluster", ""], 2, /"" is not a valid name of a cluster/],
    ["a Pod instead of a Job", ["get", "pod/nightly"], 2, /Unsupported type "pod"/],
    ["an unknown state", ["jobs", "--state", "Done"], 2, /"Done" is not a state/],
    ["an incomplete selector", ["jobs", "-l", "a in (b"], 2, /character 8/],
    ["an invalid limit", ["jobs", "--limit", "many"], 2, /whole number/],
    ["an invalid time", ["jobs", "--created-after", "yesterday"], 2, /RFC 3339/],
    ["an unknown format", ["jobs", "-o", "xml"], 2, /Allowed choices are table, wide, json, yaml, name/],
    ["an invalid time span", ["wait", "nightly", "--for=complete", "--timeout", "soon"], 2, /90s, 5m or 1h30m/],
    ["wait without a goal", ["wait", "nightly"], 2, /--for/],
    ["an invalid address", ["serve", "--listen", "here"], 2, /HOST:PORT/],
    ["an address beyond this machine without a token", ["serve", "--listen", "0.0.0.0:0"], 2, /OUTLIVE_TOKEN/],
    ["an empty token", ["serve", "--listen", "127.0.0.1:0", "--token", ""], 2, /empty/],
    ["a retention of 0 days", ["serve", "--retention", "0"], 2, /Write a whole number of days/],
    [
      "an unreachable server",
      ["jobs", "--server", "http://127.0.0.1:1"],
      2,
      /Cannot reach the server at .*outlive serve/,
    ],
    ["an invalid URL of a server", ["jobs", "--server", "http://"], 2, /not the URL of a server/],
    ["an unknown command", ["jbos"], 2, /jobs/],
  ])("rejects %s with one sentence", async (_, args, status, stderr) => {
    const ran = await outlive(...args);
    expect(ran).toMatchObject({ status, stdout: "" });
    expect(ran.stderr).toMatch(stderr);
    expect(ran.stderr).not.toMatch(/^\s+at /m);
  });

  it("prints the stack with OUTLIVE_DEBUG", async () => {
    const ran = await runOutlive(["jobs", "--database", "text.sqlite"], {
      cwd: scratch.path,
      env: { OUTLIVE_DEBUG: "1" },
    });
    expect(ran.stderr).toMatch(/^\s+at /m);
  });

  it("reports that a later release wrote the database", async () => {
    expect((await outlive("clusters", "register", "later", "--database", "later.sqlite")).status).toBe(0);
    const database = new DatabaseSync(inScratch("later.sqlite"));
    database.exec("PRAGMA user_version = 999");
    database.close();
    expect((await outlive("jobs", "--database", "later.sqlite")).stderr).toMatch(/schema 999.*Update Outlive/);
  });

  it("reports that another process has locked the database", async () => {
    expect((await outlive("clusters", "register", "held", "--database", "held.sqlite")).status).toBe(0);
    const database = new DatabaseSync(inScratch("held.sqlite"));
    database.exec("BEGIN IMMEDIATE");
    const listed = await outlive("clusters", "list", "-o", "name", "--database", "held.sqlite");
    const ran = await outlive("clusters", "register", "other", "--database", "held.sqlite");
    database.exec("ROLLBACK");
    database.close();
    expect(listed, "queries do not wait for a writer").toMatchObject({ status: 0, stdout: "cluster/held\n" });
    expect(ran.status).toBe(2);
    expect(ran.stderr).toMatch(/locked by another process/);
  });

  it("reports that its port is in use", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    const ran = await outlive("serve", "--listen", `127.0.0.1:${port}`);
    other.close();
    expect(ran.status).toBe(2);
    expect(ran.stderr).toMatch(new RegExp(`^error: Port ${port} of 127\\.0\\.0\\.1 is in use`));
  });

  it("reports that a server is not an Outlive server", async () => {
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
    "compare",
    "switch",
    "verify",
    "backup",
    "fold",
    "init",
    "init aws",
  ])("%s has help with examples", async (command) => {
    const { status, stdout } = await outlive(...command.split(" "), "--help");
    expect(status).toBe(0);
    expect(stdout).toMatch(/Examples:\n {2}# /);
  });
});
