import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  example,
  type Ran,
  runOutlive,
  scratchFolder,
  type Serving,
  serveOutlive,
} from "../support/running/run-outlive.ts";

const scratch = scratchFolder();
let open: Serving;
let guarded: Serving;

beforeAll(async () => {
  await runOutlive(["import", "--cluster", "deadline", example("deadline.ndjson.gz")], { cwd: scratch.path });
  open = await serveOutlive(["serve", "--listen", "127.0.0.1:0"], { cwd: scratch.path });
  guarded = await serveOutlive(["serve", "--listen", "127.0.0.1:0"], {
    cwd: scratch.path,
    env: { OUTLIVE_TOKEN: "secret" },
  });
});
afterAll(() => scratch.remove());

/** What the guarded server answers to a request with this token. */
async function statusWith(token?: string): Promise<number> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return (await fetch(`${guarded.url}/v1/jobs`, { headers })).status;
}

function askGuarded(env: Readonly<Record<string, string>>): Promise<Ran> {
  return runOutlive(["jobs", "-A", "-o", "name"], { cwd: scratch.path, env: { OUTLIVE_SERVER: guarded.url, ...env } });
}

describe("outlive serve", () => {
  it("answers over HTTP what it answers on the command line", async () => {
    const [here, there] = await Promise.all([
      runOutlive(["jobs", "-A", "-o", "json"], { cwd: scratch.path }),
      runOutlive(["jobs", "-A", "-o", "json", "--server", open.url], { cwd: scratch.path }),
    ]);
    expect(here.status).toBe(0);
    expect(there).toEqual(here);
  });

  it("names every limit that ended a Job", async () => {
    const answer = (await (await fetch(`${open.url}/v1/jobs?state=Failed&limit=500`)).json()) as {
      readonly items: readonly { readonly verdict: { readonly reason?: string } }[];
    };
    expect(new Set(answer.items.map(({ verdict }) => verdict.reason))).toEqual(
      new Set(["BackoffLimitExceeded", "DeadlineExceeded"]),
    );
  });

  it("answers callers with the token only", async () => {
    expect([await statusWith(), await statusWith("guessed"), await statusWith("secret")]).toEqual([401, 401, 200]);
    expect(await askGuarded({})).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("Authorization: Bearer") as string,
    });
    expect((await askGuarded({ OUTLIVE_TOKEN: "secret" })).status).toBe(0);
  });

  it("sees what is imported while it runs", async () => {
    await runOutlive(["import", "--cluster", "late", example("ttl.ndjson.gz")], { cwd: scratch.path });
    const clusters = (await (await fetch(`${open.url}/v1/clusters`)).json()) as {
      readonly items: readonly { readonly name: string }[];
    };
    expect(clusters.items.map(({ name }) => name)).toEqual(["deadline", "late"]);
  });

  it.each(["SIGTERM", "SIGINT"] as const)(
    "stops on %s when its questions are answered, with status 0",
    async (signal) => {
      const server = await serveOutlive(["serve", "--listen", "127.0.0.1:0"], { cwd: scratch.path });
      expect((await fetch(`${server.url}/v1/readyz`)).status).toBe(200);
      expect(await server.stop(signal)).toMatchObject({
        status: 0,
        stdout: "",
        stderr: expect.stringContaining("Stopping") as string,
      });
    },
  );
});

describe("outlive demo", () => {
  it("prints the incident, then serves recorded and generated clusters until it is stopped", async () => {
    const demo = await serveOutlive(["demo", "--listen", "127.0.0.1:0"], { cwd: scratch.path });
    const clusters = (await (await fetch(`${demo.url}/v1/clusters`)).json()) as {
      readonly items: readonly { readonly name: string }[];
    };
    const { status, stdout } = await demo.stop("SIGINT");
    expect(clusters.items.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["pod-gc-ate-success", "generated-eu", "generated-us"]),
    );
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Pod GC ate its successes\n308 Jobs ran 767 Pods\. 440 Pods in 204 Jobs repeated/);
    expect(stdout).toMatch(/each Pod deleted by pod-garbage-collector after it had succeeded/);
  }, 180_000);
});
