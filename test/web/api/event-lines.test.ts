import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventLines } from "../../../web/api/event-lines.ts";

const STREAM =
  'retry: 2000\n\nevent: change\ndata: {"a":1}\n\nevent: heartbeat\r\ndata: {}\r\nid: 7\r\n\r\n: a comment\n\n';

describe("a stream of events", () => {
  it("is read event by event", () => {
    expect(new EventLines().take(STREAM)).toEqual([
      { event: "message", data: "", id: undefined },
      { event: "change", data: '{"a":1}', id: undefined },
      { event: "heartbeat", data: "{}", id: "7" },
      { event: "message", data: "", id: undefined },
    ]);
  });

  it("is the same wherever the network cuts it", () => {
    const whole = new EventLines().take(STREAM);
    fc.assert(
      fc.property(fc.array(fc.nat(STREAM.length)), (cuts) => {
        const lines = new EventLines();
        const places = [0, ...cuts.sort((a, b) => a - b), STREAM.length];
        const events = places.flatMap((from, place) => lines.take(STREAM.slice(from, places[place + 1] ?? from)));
        expect(events).toEqual(whole);
      }),
    );
  });
});
