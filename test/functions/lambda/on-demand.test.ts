import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { queueOnDemand } from "../../../functions/lambda/queue-on-demand.ts";
import { type HookServer, startHookServer } from "../../support/notify/hook-server.ts";

/** An endpoint that answers as SQS and EventBridge do where there is no such queue or bus. */
let endpoint: HookServer;
let queue: ReturnType<typeof queueOnDemand>;

beforeAll(async () => {
  endpoint = await startHookServer();
  endpoint.answerWith((response) => {
    response.writeHead(400, { "content-type": "application/x-amz-json-1.0" });
    response.end('{"__type":"com.amazonaws.sqs#QueueDoesNotExist","message":"The queue does not exist."}');
  });
  vi.stubEnv("AWS_ENDPOINT_URL", new URL(endpoint.url).origin);
  vi.stubEnv("AWS_REGION", "eu-central-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
  queue = queueOnDemand(`${new URL(endpoint.url).origin}/000000000000/wake-ups`);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await endpoint.close();
});

/** The last part of the action that was requested last: `SendMessageBatch`. */
function lastAction(): string | undefined {
  return String(endpoint.received.at(-1)?.headers["x-amz-target"]).split(".").at(-1);
}

describe("a queue whose client is loaded on demand", () => {
  it("reports what was not sent", async () => {
    expect(await queue.send([{ body: "a" }])).toMatchObject([{ outcome: "unreachable" }]);
    expect(lastAction()).toBe("SendMessageBatch");
  });

  it.each([
    ["ReceiveMessage", () => queue.receive()],
    ["DeleteMessageBatch", () => queue.remove([{ receipt: "a" }])],
    ["ChangeMessageVisibilityBatch", () => queue.hide([{ receipt: "a", seconds: 1 }])],
  ])("throws what %s throws", async (action, use) => {
    await expect(use()).rejects.toThrow(/wake-ups does not exist/);
    expect(lastAction()).toBe(action);
  });
});
