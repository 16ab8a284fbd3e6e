import { describe, expect, it } from "vitest";
import { cloudEvent, eventType } from "../../../src/notify/receivers/cloud-event.ts";
import { notificationExample } from "../../support/notify/notification-example.ts";

describe("the CloudEvent of a notification", () => {
  it("has the identity of the delivery, the cluster as its source, and the notification as its data", () => {
    const said = notificationExample();
    expect(cloudEvent(said)).toEqual({
      specversion: "1.0",
      id: "u1/1/failures/hook",
      source: "/outlive/clusters/prod-eu",
      type: "outlive.notification.opened",
      subject: "payments/charge-1",
      time: "2026-06-01T00:00:00Z",
      datacontenttype: "application/json",
      data: said,
    });
    expect(eventType(notificationExample({ kind: "resolved" }))).toBe("outlive.notification.resolved");
  });

  it("about a cluster has its name as the subject", () => {
    const subject = { kind: "Cluster", cluster: "prod-eu", namespace: "", name: "prod-eu", uid: "prod-eu" };
    expect(cloudEvent(notificationExample({ subject }))).toMatchObject({ subject: "prod-eu" });
  });
});
