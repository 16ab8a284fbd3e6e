import { describe, expect, it } from "vitest";
import { rehearsedRow } from "../../../cli/rules/rehearsed-row.ts";
import { notificationExample } from "../../support/notify/notification-example.ts";
import { ComposedBy } from "../../support/notify/opened-receiver.ts";

const topic = "arn:aws:sns:eu-central-1:123456789012:batch";

function rowOf(said: object) {
  const composed = new ComposedBy(said).compose([notificationExample()]);
  return rehearsedRow({ at: 0, receiver: "a", ...composed });
}

describe("a rehearsed message", () => {
  it("is shown by its first line, and by its JSON", () => {
    expect(rowOf({ eventbridge: { bus: "batch" } })).toEqual({
      at: "1970-01-01T00:00:00Z",
      receiver: "a",
      message: "opened: Failed: OOMKilled in 3 of 3 attempts.",
      body: notificationExample(),
    });
  });

  it("that is an e-mail is shown by its subject and its text", () => {
    const subject = "[Outlive] Failed: Job prod-eu/payments/charge-1";
    const { message, body } = rowOf({ email: { topic } });
    expect(message).toBe(subject);
    expect(body).toMatchObject({ subject });
    expect(JSON.stringify(body)).toContain('"text":"Failed: OOMKilled in 3 of 3 attempts.');
  });
});
