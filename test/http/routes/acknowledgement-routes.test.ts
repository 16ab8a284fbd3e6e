import { describe, expect, it } from "vitest";
import { tokenGrant } from "../../../src/http/access/token-access.ts";
import { createApi } from "../../../src/http/create-api.ts";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import { readGrants } from "../../../src/query/access/grant-text.ts";
import type { AttentionAnswer } from "../../../src/query/attention/attention.ts";
import { apiOver } from "../../support/http/request-api.ts";
import { emptyStores, storesOver } from "../../support/stores/stores-with-facts.ts";
import { listedJob, storesWith } from "../../support/story/listed-job.ts";

const PLACES = "/v1/clusters/east/namespaces";
const UNKNOWN = "f".repeat(32);
const GOOD = { note: "Known: the disk is full.", until: "8h" };

function failed(said: Partial<JobAnswer>): JobAnswer {
  const verdict = { state: "Failed", final: true, basis: "both" } as const;
  return listedJob({ verdict, findings: [{ kind: "LimitReached", message: "", evidence: [] }], ...said });
}

const JOBS = [failed({ uid: "1", namespace: "mine" }), failed({ uid: "2", namespace: "theirs" })];

async function sceneWith(grants: readonly string[], jobs = JOBS) {
  const stores = storesOver(await storesWith(jobs));
  const { scope, acknowledges } = readGrants(grants);
  const everything = { acknowledges: "everything", name: "operator" } as const;
  const tokens = [
    tokenGrant("reader", scope, { acknowledges, name: "on-call" }),
    tokenGrant("operator", "everything", everything),
  ];
  const { ask, errors } = apiOver(stores, { kind: "bearer", tokens });
  const send = (method: string, path: string, body?: unknown, token = "reader") => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    };
    return ask(path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  };
  const entries = async () =>
    ((await send("GET", "/v1/attention?since=30d", undefined, "operator")).body as AttentionAnswer).items;
  const idIn = async (namespace: string) => (await entries()).find((entry) => entry.namespace === namespace)?.id ?? "";
  return { send, entries, idIn, errors, meta: stores.meta };
}

const ALLOWED = ["east/mine", "acknowledge:east/mine"];

describe("an entry", () => {
  it("is acknowledged by a reader with the grant, and stays in the answer, marked", async () => {
    const { send, entries, idIn } = await sceneWith(ALLOWED);
    const id = await idIn("mine");
    const acknowledged = {
      by: "token on-call",
      note: GOOD.note,
      at: "2026-01-02T00:00:00Z",
      until: "2026-01-02T08:00:00Z",
    };
    expect(await send("PUT", `${PLACES}/mine/acknowledgements/${id}`, GOOD)).toMatchObject({
      status: 200,
      body: { id, ...acknowledged },
    });
    const marked = (await entries()).filter((entry) => entry.acknowledged !== undefined);
    expect(marked).toMatchObject([{ namespace: "mine", acknowledged }]);
    const removed = await send("DELETE", `${PLACES}/mine/acknowledgements/${id}`);
    expect(removed).toMatchObject({ status: 200, body: { id } });
    expect((await entries()).map((entry) => entry.acknowledged)).toEqual([undefined, undefined]);
    expect((await send("DELETE", `${PLACES}/mine/acknowledgements/${id}`)).status).toBe(404);
  });

  it("may be acknowledged until a given time", async () => {
    const { send, idIn } = await sceneWith(ALLOWED);
    const path = `${PLACES}/mine/acknowledgements/${await idIn("mine")}`;
    const until = "2026-01-31T23:59:59Z";
    expect(await send("PUT", path, { ...GOOD, until })).toMatchObject({ status: 200, body: { until } });
  });

  it("keeps what it covers in the record", async () => {
    const { send, idIn, meta } = await sceneWith(ALLOWED);
    const id = await idIn("mine");
    await send("PUT", `${PLACES}/mine/acknowledgements/${id}`, GOOD);
    const record = await meta.read("acknowledgement", `east#mine#${id}`);
    expect(JSON.parse(record?.value ?? "")).toMatchObject({ kind: "LimitReached", severity: "failed", id });
  });
});

describe("an acknowledgement", () => {
  it.each([
    ["a note with a control character", { ...GOOD, note: "a\u0007b" }],
    ["a note of two lines", { ...GOOD, note: "a\nb" }],
    ["a note that turns the text around", { ...GOOD, note: "a\u202Eb" }],
    ["a note of half a character", { ...GOOD, note: "a\uD83Db" }],
    ["an empty note", { ...GOOD, note: "" }],
    ["a note of spaces", { ...GOOD, note: "  " }],
    ["a note that nobody sees", { ...GOOD, note: "\u200B\u2060" }],
    ["a note of 501 characters", { ...GOOD, note: "a".repeat(501) }],
    ["a note that is no text", { ...GOOD, note: 7 }],
    ["no note", { until: "8h" }],
    ["an end in the past", { ...GOOD, until: "2026-01-01T00:00:00Z" }],
    ["an end now", { ...GOOD, until: "2026-01-02T00:00:00Z" }],
    ["an end without length", { ...GOOD, until: "0s" }],
    ["an end in more than 30 days", { ...GOOD, until: "31d" }],
    ["an end that is no time", { ...GOOD, until: "tomorrow" }],
    ["a name of its own", { ...GOOD, by: "somebody else" }],
    ["a list", [GOOD]],
  ])("with %s is refused", async (_, body) => {
    const { send, idIn, entries } = await sceneWith(ALLOWED);
    const answer = await send("PUT", `${PLACES}/mine/acknowledgements/${await idIn("mine")}`, body);
    expect(answer).toMatchObject({ status: 400, body: { type: "urn:outlive:problem:bad-body" } });
    expect((await entries()).every((entry) => entry.acknowledged === undefined)).toBe(true);
  });

  it.each(["x", "F".repeat(32), "0".repeat(31), "..%2F..%2Fhold"])("of id %s is refused", async (id) => {
    const { send } = await sceneWith(ALLOWED);
    expect((await send("PUT", `${PLACES}/mine/acknowledgements/${id}`, GOOD)).status).toBe(400);
  });

  it("needs a grant of its own", async () => {
    for (const grants of [["east/mine"], ["*"], ["*", "acknowledge:east/other"], ["*", "acknowledge:west/*"]]) {
      const { send, idIn, entries } = await sceneWith(grants);
      const path = `${PLACES}/mine/acknowledgements/${await idIn("mine")}`;
      for (const answer of [await send("PUT", path, GOOD), await send("DELETE", path)]) {
        expect(answer).toMatchObject({ status: 403, body: { type: "urn:outlive:problem:forbidden" } });
      }
      expect((await entries()).every((entry) => entry.acknowledged === undefined)).toBe(true);
    }
  });

  it("needs a token", async () => {
    const { send, idIn } = await sceneWith(ALLOWED);
    const path = `${PLACES}/mine/acknowledgements/${await idIn("mine")}`;
    expect((await send("PUT", path, GOOD, "other")).status).toBe(401);
  });

  it("of the single token of a server, or of this machine, needs no grant", async () => {
    const { ask } = apiOver(storesOver(await storesWith(JOBS)), { kind: "loopback" });
    const headers = { host: "127.0.0.1:8080", "content-type": "application/json" };
    const { items } = (await ask("/v1/attention?since=30d", { headers })).body as AttentionAnswer;
    const path = `${PLACES}/mine/acknowledgements/${items.find((entry) => entry.namespace === "mine")?.id}`;
    const put = { method: "PUT", body: JSON.stringify(GOOD) };
    expect(await ask(path, { ...put, headers })).toMatchObject({ status: 200, body: { by: "this machine" } });
    // DNS rebinding, and a page of another origin.
    expect((await ask(path, { ...put, headers: { ...headers, host: "evil.example" } })).status).toBe(403);
    expect((await ask(path, { ...put, headers: { ...headers, origin: "http://evil.example" } })).status).toBe(403);
    expect((await ask(path, { ...put, headers: { host: headers.host, "content-type": "text/plain" } })).status).toBe(
      415,
    );
  });
});

const asked = (namespace: string, id: string) => `${PLACES}/${namespace}/acknowledgements/${id}`;

describe("what a reader may not see", () => {
  it.each([
    ["a reader of a namespace", ALLOWED],
    ["a reader who could acknowledge there", ["east/mine", "acknowledge:*"]],
    ["a reader who may acknowledge nothing", ["east/mine"]],
  ])("and what does not exist get one answer: %s", async (_, grants) => {
    const { send, idIn } = await sceneWith(grants);
    const alone = await sceneWith(grants, JOBS.slice(0, 1));
    const id = await idIn("theirs");
    await send("PUT", asked("theirs", id), GOOD, "operator");
    for (const path of [asked("theirs", id), asked("theirs", UNKNOWN), asked("nowhere", id), asked("theirs%23x", id)]) {
      for (const [method, body] of [
        ["PUT", GOOD],
        ["DELETE", undefined],
      ] as const) {
        const answer = await send(method, path, body);
        expect(answer.status).toBe(404);
        expect(answer.text).toBe((await alone.send(method, path, body)).text);
      }
    }
  });

  it("cannot be acknowledged under a namespace that the reader may see", async () => {
    const { send, idIn, entries } = await sceneWith(ALLOWED);
    expect((await send("PUT", asked("mine", await idIn("theirs")), GOOD)).status).toBe(404);
    expect((await entries()).every((entry) => entry.acknowledged === undefined)).toBe(true);
  });
});

describe("a server that only reads", () => {
  it("takes no acknowledgement", async () => {
    const access = { kind: "inProcess" } as const;
    const api = createApi({ stores: emptyStores(), access, now: () => 0, version: "0.0.0", onError: () => undefined });
    const put = { method: "PUT", body: JSON.stringify(GOOD), headers: { "content-type": "application/json" } };
    const answer = await api.request(`${PLACES}/mine/acknowledgements/${UNKNOWN}`, put);
    expect(answer.status).toBe(405);
  });
});
