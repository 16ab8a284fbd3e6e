import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createMessageSender } from "../../../src/host/runtime/message-sender.ts";
import { startMailServer } from "../../support/notify/mail-server.ts";
import { listedJob, storesWith } from "../../support/story/listed-job.ts";
import { ACCEPT, type HookServer, startHookServer } from "../../support/notify/hook-server.ts";
import { stubEndpoint } from "../../support/aws/stub-endpoint.ts";

/** A receiver that accepts each message, and an endpoint that answers as EventBridge and SNS do. */
let endpoint: HookServer;

beforeAll(async () => {
  endpoint = await startHookServer();
  stubEndpoint(endpoint.url);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await endpoint.close();
});

describe("the sender of messages", () => {
  const reading = { open: () => storesWith([listedJob()]), now: Date.now };
  const send = createMessageSender({ traces: reading });

  it("sends requests", async () => {
    endpoint.answerWith(ACCEPT);
    const message = { kind: "http", url: endpoint.url, headers: {}, body: "{}", allowAddresses: [] } as const;
    expect(await send(message)).toEqual({ outcome: "accepted", status: 202 });
    expect(await createMessageSender({ refusesLoopback: true })(message)).toMatchObject({
      outcome: "unreachable",
    });
  });

  it("sends to EventBridge", async () => {
    endpoint.answerWith((response) =>
      response
        .writeHead(400, { "content-type": "application/x-amz-json-1.1" })
        .end('{"__type":"ResourceNotFoundException","message":"There is no such bus."}'),
    );
    const message = { kind: "eventbridge", bus: "batch", detailType: "opened", body: "{}", at: 0 } as const;
    expect((await send(message)).outcome).not.toBe("accepted");
    expect(endpoint.received.at(-1)?.headers["x-amz-target"]).toBe("AWSEvents.PutEvents");
  });

  it("reads the run of a trace when it sends it", async () => {
    const run = { cluster: "east", kind: "Job", namespace: "batch", name: "gone", uid: "u1" };
    const message = { kind: "trace", url: endpoint.url, headers: {}, allowAddresses: [], run, body: "{}" } as const;
    const problem = "the run was deleted before its trace was sent";
    expect(await send(message)).toEqual({ outcome: "refused", problem });
    const problemWithout = "this process reads no runs";
    expect(await createMessageSender()(message)).toEqual({ outcome: "refused", problem: problemWithout });
  });

  it("sends to SNS", async () => {
    endpoint.answerWith((response) => response.writeHead(404).end());
    const topic = "arn:aws:sns:eu-central-1:123456789012:batch";
    const message = { kind: "sns", topic, body: "{}", attributes: {}, group: "a", identity: "b" } as const;
    expect((await send(message)).outcome).not.toBe("accepted");
    expect(endpoint.received.at(-1)?.body).toContain("Action=Publish");
  });

  it("sends e-mails", async () => {
    const server = await startMailServer({});
    const text = {
      from: "a@b.example",
      to: ["c@d.example"],
      subject: "s",
      body: "b",
      messageId: "<m@b.example>",
      at: 0,
    };
    const message = { kind: "smtp", url: `smtp://127.0.0.1:${server.port}`, allowAddresses: [], ...text } as const;
    expect(await send(message)).toMatchObject({ outcome: "accepted" });
    expect(await createMessageSender({ refusesLoopback: true })(message)).toMatchObject({
      outcome: "unreachable",
    });
    expect(server.received).toHaveLength(1);
    await server.close();
  });
});
