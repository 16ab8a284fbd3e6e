import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Access } from "../../../src/http/access/access.ts";
import { bearerAccess, tokenGrant } from "../../../src/http/access/token-access.ts";
import { createApi } from "../../../src/http/create-api.ts";
import { type Embedded, openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import { importRecordings } from "../../../src/host/embedded/import-recordings.ts";
import { API_PARTS } from "../../../src/host/optional/api-parts.ts";
import type { AnsweredRequest, ServerMetrics } from "../../../src/http/request-meter.ts";
import { MAX_RESULT_BYTES } from "../../../src/http/mcp/answer.ts";
import { TOOLS } from "../../../src/http/mcp/tools/tools.ts";
import { callTool } from "../../support/mcp/connected-client.ts";
import { httpClient } from "../../support/mcp/http-client.ts";
import { rethrow } from "../../support/running/rethrow.ts";

const JSON_TYPES = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };

let embedded: Embedded;
beforeAll(async () => {
  embedded = openEmbedded(":memory:");
  for (const name of ["ttl", "jobset-restarts"]) {
    const file = new URL(`../../../examples/${name}.ndjson.gz`, import.meta.url).pathname;
    await importRecordings(embedded, { clusterName: "prod", files: [file] });
  }
});
afterAll(() => embedded.close());

function api(access: Access = { kind: "loopback" }, serverMetrics?: ServerMetrics) {
  const shared = { ...API_PARTS, stores: embedded, now: Date.now, version: "0.0.0", onError: rethrow };
  return createApi({ ...shared, access, ...(serverMetrics && { serverMetrics }) });
}

async function post(body: unknown, headers: Readonly<Record<string, string>> = {}, access?: Access) {
  const init = {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: { host: "127.0.0.1", ...JSON_TYPES, ...headers },
  };
  const response = await api(access).request("/mcp", init);
  return { status: response.status, text: await response.text(), headers: response.headers };
}

describe("/mcp", () => {
  it.each(["legacy", "auto", { pin: "2026-07-28" }] as const)(
    "lists and calls the tools for a client that negotiates %j",
    async (mode) => {
      const { client, bodies } = await httpClient(api(), { mode });
      expect((await client.listTools()).tools).toHaveLength(TOOLS.length);
      const { answer } = await callTool(client, "why", { target: "jobset/bert" });
      expect(answer.sentence).toContain("JobSet jobset-restarts/bert of cluster prod is complete");
      expect(answer["link"]).toMatch(/^http:\/\/127\.0\.0\.1\/#\/runs\/prod\/jobset-restarts\/jobset\/bert\?uid=/);
      await callTool(client, "timeline", { target: "jobset/bert" });
      // The result as it is sent, with what the protocol adds.
      const last = /(\{.*\})/.exec(bodies.at(-1) ?? "")?.[0] ?? "";
      const { result } = JSON.parse(last) as { readonly result: unknown };
      expect(Buffer.byteLength(JSON.stringify(result))).toBeGreaterThan(MAX_RESULT_BYTES / 2);
      expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(MAX_RESULT_BYTES);
    },
  );

  it("has the grants of the API", async () => {
    const grants = [{ cluster: "prod", namespaces: ["ttl"] }];
    const access = {
      kind: "bearer",
      tokens: [tokenGrant("one", { grants }), tokenGrant("two", "everything")],
    } as const;
    const { client: limited } = await httpClient(api(access), { token: "one" });
    const { client: unlimited } = await httpClient(api(access), { token: "two" });
    const find = { name: "*" };
    const [some, all] = [await callTool(limited, "find_runs", find), await callTool(unlimited, "find_runs", find)];
    const namespaces = (answer: typeof some.answer) =>
      new Set((answer["runs"] as { readonly target: string }[]).map(({ target }) => target.split("/")[1]));
    expect(namespaces(some.answer)).toEqual(new Set(["ttl"]));
    expect(namespaces(all.answer)).toContain("jobset-restarts");
    for (const target of ["jobset/bert", "prod/jobset-restarts/jobset/bert", "jobset-restarts/job/bert-node-2"]) {
      for (const tool of ["get_run", "why", "why_not_running", "timeline", "compare_runs", "completeness"]) {
        expect([tool, (await callTool(limited, tool, { target })).isError]).toEqual([tool, true]);
        expect([tool, (await callTool(unlimited, tool, { target })).isError ?? false]).toEqual([tool, false]);
      }
    }
  });

  it("refuses a request without a valid token, as every route does", async () => {
    const { status, text, headers } = await post(LIST, { authorization: "Bearer old" }, bearerAccess("new"));
    expect([status, headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="outlive"']);
    expect(JSON.parse(text)).toMatchObject({ type: "urn:outlive:problem:unauthorized" });
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ["of a page of another origin", { origin: "https://other.example" }, "foreign-origin"],
    ["of a page of another site", { "sec-fetch-site": "cross-site" }, "foreign-origin"],
    ["to a name that is not local", { host: "other.example" }, "host-not-local"],
  ])("refuses a request %s", async (_, headers, problem) => {
    const { status, text } = await post(LIST, headers);
    expect([status, text]).toEqual([403, expect.stringContaining(`urn:outlive:problem:${problem}`)]);
  });

  it("refuses other methods, other types and long bodies", async () => {
    const get = await api().request("/mcp", { headers: { host: "127.0.0.1" } });
    expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"]);
    expect((await post(LIST, { "content-type": "text/plain" })).status).toBe(415);
    expect((await post({ ...LIST, params: { text: "x".repeat(70_000) } })).status).toBe(413);
  });

  it("is measured with the time of the requests that it consists of", async () => {
    const answered: AnsweredRequest[] = [];
    let elapsed = 0;
    // Time passes whenever the clock is read.
    const serverMetrics = {
      onAnswered: (request: AnsweredRequest) => answered.push(request),
      elapsed: () => (elapsed += 1),
      text: async () => "",
    };
    const { client } = await httpClient(api({ kind: "loopback" }, serverMetrics));
    answered.length = 0;
    await callTool(client, "completeness");
    const [call, ...requests] = answered.toReversed();
    expect([call?.route, requests.map(({ route }) => route)]).toEqual(["/mcp", ["/v1/gaps", "/v1/clusters"]]);
    const times = requests.map(({ milliseconds }) => milliseconds);
    expect(call?.milliseconds).toBeGreaterThan(times.reduce((sum, time) => sum + time, 0));
  });

  it("does not take a reader without access for a server without data", async () => {
    const access = { kind: "bearer", tokens: [tokenGrant("one", { grants: [] })] } as const;
    const { client } = await httpClient(api(access), { token: "one" });
    const { answer } = await callTool(client, "completeness");
    expect(answer.sentence).toContain("or these credentials have no access to any");
  });

  it("opens no streams", async () => {
    const { client } = await httpClient(api(), { mode: { pin: "2026-07-28" } });
    await expect(client.listen({ toolsListChanged: true })).rejects.toThrow();
  });

  it.each([
    [{ address: "https://api.example/live" }, {}, "https://api.example/live/#/clusters"],
    [{}, { "x-forwarded-proto": "https" }, "https://127.0.0.1/#/clusters"],
    [{}, { host: "localhost:8080" }, "http://localhost:8080/#/clusters"],
  ])("links to the page at the address that the client used: %j %j", async (environment, headers, link) => {
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "completeness", arguments: {} } };
    const request = new Request("http://127.0.0.1/mcp", {
      method: "POST",
      body: JSON.stringify(call),
      headers: { host: "127.0.0.1", ...JSON_TYPES, ...headers },
    });
    expect(await (await api().fetch(request, environment)).text()).toContain(link);
  });
});

function call(name: unknown, given: unknown) {
  return { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } };
}

describe("a hostile message to /mcp", () => {
  it.each<[string, unknown]>([
    ["that is no object", "null"],
    ["without a method", { jsonrpc: "2.0", id: 1 }],
    ["for a tool that there is not", call("delete_run", {})],
    ["for a property of every object", call("constructor", {})],
    ["without arguments", call("get_run", undefined)],
    ["with an array for a text", call("get_run", { target: ["a"] })],
    ["with a long target", call("get_run", { target: "x".repeat(601) })],
    [
      "with a prototype",
      JSON.stringify(call("get_run", { target: "a", own: 1 })).replace('"own":1', '"__proto__":{"uid":"b"}'),
    ],
    ["with a path as its target", call("get_run", { target: "../../v1/backup/job/x?uid=1#" })],
    ["with a forged cursor", call("find_runs", { cursor: "AAAA" })],
    [
      "nested deeply",
      JSON.stringify(call("get_run", 1)).replace(
        '"arguments":1',
        `"arguments":${"[".repeat(9_000)}${"]".repeat(9_000)}`,
      ),
    ],
  ])("%s is refused, and the server goes on", async (_, body) => {
    const { status, text } = await post(body);
    expect(status).toBeLessThan(500);
    expect(text).toMatch(/"error"|"isError":true/);
    expect((await post(LIST)).status).toBe(200);
  });

  it("of many calls at once is answered within the limits of its reader", async () => {
    const calls = Array.from({ length: 100 }, (_, id) => ({ ...call("completeness", {}), id }));
    const { status, text } = await post(calls);
    expect(status).toBe(200);
    // As structured content; the text of each has its quotes escaped.
    expect(text.match(/(?<!\\)"sentence":"1 cluster/g)).toHaveLength(100);
    expect((await post(LIST)).status).toBe(200);
  });
});
