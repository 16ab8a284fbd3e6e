import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { tracedStores } from "../../../functions/lambda/traced-stores.ts";
import { type HookServer, startHookServer } from "../../support/notify/hook-server.ts";
import { stubEndpoint } from "../../support/aws/stub-endpoint.ts";

const records = { meta: "meta", retentionDays: 30 };
const traced = { log: "log", jobs: { A: "jobs-a", B: "jobs-b" }, runs: { A: "runs-a", B: "runs-b" } };

/** An endpoint that answers as DynamoDB does where a table has no such item. */
let endpoint: HookServer;
beforeAll(async () => {
  endpoint = await startHookServer();
  endpoint.answerWith((response) =>
    response.writeHead(200, { "content-type": "application/x-amz-json-1.0" }).end("{}"),
  );
  stubEndpoint(endpoint.url);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await endpoint.close();
});

it("the stores of traces are those of the live projection at each trace", async () => {
  const open = tracedStores(records, traced);
  const [first, again] = [await open(), await open()];
  expect(Object.keys(first).toSorted()).toEqual(["jobs", "log", "meta", "runs"]);
  expect(again.meta).toBe(first.meta);
  expect(endpoint.received).toHaveLength(2);
});

it("a stage without receivers of traces has no stores to read", async () => {
  await expect(tracedStores(records, undefined)()).rejects.toThrow("the stage has no receiver of traces");
});
