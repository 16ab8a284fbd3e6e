import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { noticeRecord, type WaitingDelivery } from "../../../src/ports/records/notices/notice-record.ts";
import { type Embedded, openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import { trackerMetrics } from "../../../src/host/embedded/tracker-metrics.ts";
import { OpenStreams } from "../../../src/http/streams/open-streams.ts";
import { scratchFolder } from "../../support/running/run-outlive.ts";

let folder: ReturnType<typeof scratchFolder>;
let embedded: Embedded;
beforeEach(() => {
  folder = scratchFolder();
  embedded = openEmbedded(`${folder.path}/outlive.sqlite`);
});
afterEach(async () => {
  embedded.close();
  await folder.remove();
});

const WAITING: WaitingDelivery = { key: "k", receiver: "hook", nextAt: 9e12, group: "g", value: "{}", attempts: 3 };

describe("the metrics of a process that serves a tracker", () => {
  it("have its files, its streams, and the messages that wait for each receiver", async () => {
    const value = noticeRecord.encode({ waiting: [WAITING], dead: [], tallies: {} });
    await embedded.meta.write("notice", "subject", { value, expected: 0 });
    const streams = new OpenStreams();
    streams.open("reader");
    const text = await trackerMetrics(embedded, { streams, receivers: ["hook", "mail"] }).text("prometheus");
    streams.endAll();
    expect(text).toMatch(/^outlive_database_size_bytes\{file="database"\} [1-9]/m);
    expect(text).toMatch(/^outlive_database_size_bytes\{file="wal"\} [1-9]/m);
    expect(text).toContain("\noutlive_http_open_streams 1\n");
    expect(text).toContain('\noutlive_notifications_waiting{receiver="hook"} 1\n');
    expect(text).toContain('\noutlive_notifications_waiting{receiver="mail"} 0\n');
  });

  it("have the backlog of the watched cluster, once there is a watch", async () => {
    const backlog = { cluster: "laptop", segments: 1, bytes: 9, waitedMillis: 250 };
    let hasBegun = false;
    const watch = () => (hasBegun ? { backlog: () => backlog } : undefined);
    const metrics = trackerMetrics(embedded, { streams: new OpenStreams(), watch });
    expect(await metrics.text("prometheus")).not.toContain("outlive_ingest_lag_seconds{");
    hasBegun = true;
    expect(await metrics.text("prometheus")).toContain('\noutlive_ingest_lag_seconds{cluster="laptop"} 0.25\n');
  });
});
