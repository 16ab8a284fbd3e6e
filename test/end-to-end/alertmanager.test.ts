import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMessageSender } from "../../src/host/runtime/message-sender.ts";
import type { Notification } from "../../src/notify/notification.ts";
import { type HookServer, startHookServer } from "../support/notify/hook-server.ts";
import { notificationExample } from "../support/notify/notification-example.ts";
import { ComposedBy } from "../support/notify/opened-receiver.ts";
import { type Alertmanager, hasAlertmanager, startAlertmanager } from "../support/running/alertmanager.ts";
import { scratchFolder } from "../support/running/run-outlive.ts";
import { skipWithout } from "../support/running/skip-without.ts";

const skip = skipWithout(hasAlertmanager(), {
  dependency: "Alertmanager",
  untested: "that Alertmanager opens, corrects and resolves the alerts of notifications",
});

const HOUR = 3_600_000;
const now = Date.now();
const instant = (at: number): string => new Date(Math.floor(at / 1_000) * 1_000).toISOString().replace(".000Z", "Z");

/** A message to people that Alertmanager has sent. */
interface Sent {
  readonly status: "firing" | "resolved";
  readonly alerts: readonly { readonly fingerprint: string; readonly startsAt: string; readonly endsAt: string }[];
}

describe.skipIf(skip)("the alerts of a real Alertmanager", () => {
  const scratch = scratchFolder();
  let hook: HookServer;
  let alertmanager: Alertmanager;

  beforeAll(async () => {
    hook = await startHookServer();
    alertmanager = await startAlertmanager(scratch.path, hook.url);
  });
  afterAll(async () => {
    await alertmanager.stop();
    await hook.close();
    await scratch.remove();
  });

  const send = (said: Partial<Notification>) => {
    const receiver = new ComposedBy({ alertmanager: { url: alertmanager.url, labels: { severity: "page" } } });
    return createMessageSender()(receiver.compose([notificationExample(said)], now).message);
  };
  const sent = (): readonly Sent[] => hook.received.map(({ body }) => JSON.parse(body) as Sent);

  it("open with the start of the condition, and stay open longer than resolve_timeout", async () => {
    await expect.poll(async () => (await fetch(`${alertmanager.url}/-/ready`)).status).toBe(200);
    const opened = { state: "Running", headline: "Running: 1 Pod is phantom-running.", resolves: true } as const;
    expect(await send({ ...opened, at: instant(now - 3 * HOUR) })).toMatchObject({ outcome: "accepted" });
    await expect.poll(sent).toMatchObject([{ status: "firing" }]);
    const [alert] = await alertmanager.alerts();
    expect(alert).toMatchObject({
      labels: { alertname: "failures", severity: "page", kind: "Job", name: "charge-1", uid: "u1" },
      annotations: { summary: "Running: 1 Pod is phantom-running." },
      generatorURL: "https://outlive.example.org/#/job/prod-eu/payments/charge-1?uid=u1",
      status: { state: "active" },
    });
    expect(Date.parse(alert?.startsAt ?? "")).toBe(Date.parse(instant(now - 3 * HOUR)));
    expect(Date.parse(alert?.endsAt ?? "")).toBeGreaterThan(now + 29 * 24 * HOUR);
  });

  it("are corrected in place: the same alert, its start, and another text", async () => {
    const [before] = await alertmanager.alerts();
    const changed = { kind: "changed", key: "u1/2/failures/am", version: 2, resolves: true } as const;
    await send({ ...changed, state: "Running", headline: "Running: 2 Pods are.", at: instant(now - HOUR) });
    await expect
      .poll(() => alertmanager.alerts())
      .toMatchObject([
        {
          fingerprint: before?.fingerprint,
          startsAt: before?.startsAt,
          annotations: { summary: "Running: 2 Pods are." },
        },
      ]);
  });

  it("are resolved with the last message", async () => {
    const [before] = await alertmanager.alerts();
    const at = instant(now - 1_000);
    await send({ kind: "resolved", key: "u1/3/failures/am", version: 3, headline: "Over.", at });
    await expect.poll(() => alertmanager.alerts()).toEqual([]);
    await expect.poll(() => sent().at(-1)?.status).toBe("resolved");
    const [over] = sent().at(-1)?.alerts ?? [];
    expect(over?.fingerprint).toBe(before?.fingerprint);
    expect(Date.parse(over?.startsAt ?? "")).toBe(Date.parse(before?.startsAt ?? ""));
    expect(Date.parse(over?.endsAt ?? "")).toBe(Date.parse(at));
  });
});
