import { describe, expect, it } from "vitest";
import {
  events,
  eventsIn,
  lines,
  linesOf,
  objects,
  pods,
  read,
  slimPods,
} from "../../support/recordings/example-recording.ts";

describe("a list in a recording", () => {
  const list = { apiVersion: "v1", items: objects, kind: "List", metadata: { resourceVersion: "" } };

  it.each([undefined, 2, 4])("yields its items one by one, indented by %j", async (indent) => {
    expect(await eventsIn(JSON.stringify(list, undefined, indent))).toEqual(objects);
  });

  it("yields its items with their own lines", async () => {
    const items = objects.map((object) => JSON.stringify(object)).join(",\n");
    const text = `{"kind":"List","apiVersion":"v1","items":[\n${items}\n]}`;
    expect(await eventsIn(text)).toEqual(objects);
    expect(await linesOf(text)).toEqual(objects.map((_, index) => index + 2));
  });

  it.each([
    ["first", { kind: "PodList", apiVersion: "v1", metadata: {}, items: slimPods }],
    ["last", { items: slimPods, metadata: {}, apiVersion: "v1", kind: "PodList" }],
  ])("fills in the kind of its items, whether it names it %s", async (_, podList) => {
    expect(await eventsIn(JSON.stringify(podList))).toEqual(pods);
    expect(await eventsIn(JSON.stringify(podList, undefined, 2))).toEqual(pods);
  });

  it("of audit events gives audit events", async () => {
    const eventList = {
      kind: "EventList",
      apiVersion: "audit.k8s.io/v1",
      metadata: {},
      items: [{ auditID: "a" }, { auditID: "b" }],
    };
    expect(await eventsIn(JSON.stringify(eventList))).toEqual([
      { kind: "Event", apiVersion: "audit.k8s.io/v1", auditID: "a" },
      { kind: "Event", apiVersion: "audit.k8s.io/v1", auditID: "b" },
    ]);
  });

  it("is followed by whatever follows it", async () => {
    const empty = JSON.stringify({ kind: "List", items: [] }, undefined, 2);
    expect(await eventsIn([empty, JSON.stringify(list, undefined, 2), lines[0], empty, lines[1]].join("\n"))).toEqual([
      ...objects,
      events[0],
      events[1],
    ]);
  });

  it("yields the items before its truncation", async () => {
    const text = JSON.stringify(list, undefined, 2);
    const given = await read(text.slice(0, -text.length / 3));
    expect(given.at(-1)).toMatchObject({ problem: expect.stringMatching(/truncated/) as string });
    expect(given.slice(0, -1).map((recorded) => "event" in recorded && recorded.event)).toEqual(
      objects.slice(0, given.length - 1),
    );
  });

  it("loses only the item that is broken", async () => {
    const text = JSON.stringify(list, undefined, 2).split("\n");
    const broken = text.findIndex((line, index) => index > 40 && line.includes('"uid"'));
    text[broken] = (text[broken] ?? "").slice(0, -4);
    const given = await read(text.join("\n"));
    expect(given.filter((recorded) => "problem" in recorded)).toHaveLength(1);
    expect(given).toHaveLength(objects.length);
  });

  it("may be longer than what is kept in memory at once", async () => {
    const options = { maxObjectBytes: 10_000 };
    for (const indent of [undefined, 2]) {
      expect(
        await eventsIn(
          JSON.stringify({ kind: "PodList", apiVersion: "v1", items: slimPods }, undefined, indent),
          undefined,
          options,
        ),
      ).toEqual(pods);
    }
  });
});
