import { readFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { eventsIn, linesOf, pretty, problemsIn } from "../../support/recordings/example-recording.ts";

const lines = gunzipSync(readFileSync(new URL("../../../examples/ttl.audit.ndjson.gz", import.meta.url)))
  .toString()
  .trim()
  .split("\n");
const audit = lines.map((line) => JSON.parse(line) as unknown);
const stream = "kube-apiserver-audit-1a2b";
const at = Date.parse("2026-11-21T08:47:34.123Z");

/** An export task writes objects to S3 with the time of each event before it. */
const exported = lines.map((line, index) => `${new Date(at + index).toISOString()} ${line}\n`).join("");
/** `aws logs filter-log-events`. */
const filtered = {
  events: lines.map((message, index) => ({
    logStreamName: stream,
    timestamp: at + index,
    message,
    ingestionTime: at,
    eventId: `${index}`,
  })),
  searchedLogStreams: [],
};
/** What a subscription sends. Firehose writes several of them to one object, without anything between them. */
const sent = (some: readonly string[]) => ({
  messageType: "DATA_MESSAGE",
  owner: "123456789012",
  logGroup: "/aws/eks/prod-eu/cluster",
  logStream: stream,
  subscriptionFilters: ["outlive"],
  logEvents: some.map((message, index) => ({ id: `${index}`, timestamp: at, message })),
});

describe("audit events of CloudWatch Logs", () => {
  it.each<[string, string | Uint8Array]>([
    ["the files of an export task", exported],
    ["the files of an export task, compressed", gzipSync(exported)],
    ["aws logs filter-log-events", pretty(filtered)],
    ["aws logs filter-log-events on one line", JSON.stringify(filtered)],
    [
      "aws logs get-log-events",
      pretty({ events: filtered.events.map(({ timestamp, message }) => ({ timestamp, message })) }),
    ],
    ["a subscription through Firehose", lines.map((line) => JSON.stringify(sent([line]))).join("")],
    ["a subscription, one message for each line", `${JSON.stringify(sent(lines))}\n`],
  ])("are read from %s", async (_, text) => {
    expect(await eventsIn(text)).toEqual(audit);
    expect(await eventsIn(text, [7, 1, 300])).toEqual(audit);
  });

  it("have the line of their file", async () => {
    expect((await linesOf(exported)).slice(0, 3)).toEqual([1, 2, 3]);
  });

  it("are separated from other texts of the log group, which are reported", async () => {
    const other = { events: [{ timestamp: at, message: "I1121 08:47:34 controller.go:1] started" }] };
    expect(await problemsIn(`${JSON.stringify(other)}\n`)).toEqual([
      [1, expect.stringContaining("not a JSON object. Export the log streams kube-apiserver-audit-* only.")],
    ]);
    expect(await problemsIn("2026-11-21T08:47:34.123Z I1121 started\n")).toEqual([
      [1, "The line is not JSON: a watch event starts with `{`."],
    ]);
  });

  it("do not change Kubernetes objects that have a message and a timestamp", async () => {
    const event = { kind: "Event", message: "{}", timestamp: 7 };
    expect(await eventsIn(JSON.stringify(event))).toEqual([event]);
  });
});
