import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import { describe, expect, it } from "vitest";
import { createEventSender } from "../../../src/adapters/eventbridge/send-event.ts";
import type { BusMessage } from "../../../src/ports/message-sender.ts";
import { failure, type Script, scripted, success } from "../../support/aws/scripted-answers.ts";

const MESSAGE: BusMessage = {
  kind: "eventbridge",
  bus: "batch",
  detailType: "outlive.notification.opened",
  body: '{"key":"k"}',
  at: Date.parse("2026-06-01T00:00:00Z"),
};

function failed(ErrorCode: string): Script {
  return success({ FailedEntryCount: 1, Entries: [{ ErrorCode, ErrorMessage: "no" }] });
}

async function sentWith(answer: Script) {
  const { config, requests } = scripted([answer]);
  const result = await createEventSender(new EventBridgeClient(config))(MESSAGE);
  return { result, requests };
}

describe("an event for a bus", () => {
  it("is sent with its source, type, detail and time", async () => {
    const { result, requests } = await sentWith(success({ FailedEntryCount: 0, Entries: [{ EventId: "e" }] }));
    expect(result).toEqual({ outcome: "accepted", status: 200 });
    expect(requests).toEqual([
      {
        Entries: [
          {
            EventBusName: "batch",
            Source: "outlive",
            DetailType: "outlive.notification.opened",
            Detail: '{"key":"k"}',
            Time: Date.parse("2026-06-01T00:00:00Z") / 1_000,
          },
        ],
      },
    ]);
  });

  it("is not accepted if EventBridge reports a failed entry in a successful response", async () => {
    expect((await sentWith(failed("ThrottlingException"))).result).toMatchObject({ outcome: "unreachable" });
    expect((await sentWith(failed("MalformedDetail"))).result).toMatchObject({ outcome: "rejected", status: 400 });
    expect((await sentWith(success({}))).result).toEqual({ outcome: "unreachable", problem: "NoResult" });
  });

  it("is not accepted without permission or connection", async () => {
    const { result } = await sentWith(failure("AccessDeniedException", "not authorized"));
    expect(result).toEqual({ outcome: "unreachable", problem: "AccessDeniedException: not authorized" });
    expect((await sentWith(new Error("connect ECONNREFUSED"))).result).toMatchObject({ outcome: "unreachable" });
  });
});
