import { describe, expect, it } from "vitest";
import { otlpRequests } from "../../../src/notify/traces/otlp-requests.ts";
import type { Span } from "../../../src/notify/traces/span.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";

function span(said: Partial<Span> = {}): Span {
  return {
    spanId: "b7ad6b7169203331",
    name: "pod",
    kind: "internal",
    startAt: 1_700_000_000_000,
    endAt: 1_700_000_000_999,
    attributes: {},
    events: [],
    ...said,
  };
}

describe("requests of OTLP", () => {
  it("have the JSON form of its protocol buffers: enums as numbers, numbers of 64 bits as texts", () => {
    const attributes = { "k8s.pod.name": "p1", "process.exit.code": 1, ratio: 0.5, times: ["end"], absent: undefined };
    const events = [{ name: "outlive.deleted", at: 1_700_000_000_001, attributes: {} }];
    const failed = span({ parentSpanId: "00f067aa0ba902b7", kind: "server", attributes, events, error: "exit code 1" });
    const [body = ""] = otlpRequests({ traceId, resource: { "service.name": "shop" }, spans: [failed] });
    expect(JSON.parse(body)).toEqual({
      resourceSpans: [
        {
          resource: { attributes: [{ key: "service.name", value: { stringValue: "shop" } }] },
          scopeSpans: [
            {
              scope: { name: "outlive" },
              spans: [
                {
                  traceId,
                  spanId: "b7ad6b7169203331",
                  parentSpanId: "00f067aa0ba902b7",
                  name: "pod",
                  kind: 2,
                  startTimeUnixNano: "1700000000000000000",
                  endTimeUnixNano: "1700000000999000000",
                  attributes: [
                    { key: "k8s.pod.name", value: { stringValue: "p1" } },
                    { key: "process.exit.code", value: { intValue: "1" } },
                    { key: "ratio", value: { doubleValue: 0.5 } },
                    { key: "times", value: { arrayValue: { values: [{ stringValue: "end" }] } } },
                  ],
                  events: [{ timeUnixNano: "1700000000001000000", name: "outlive.deleted", attributes: [] }],
                  status: { code: 2, message: "exit code 1" },
                },
              ],
            },
          ],
          schemaUrl: "https://opentelemetry.io/schemas/1.44.0",
        },
      ],
    });
  });

  it("have the events of a span in their order of time", () => {
    const events = [3, 1, 2].map((at) => ({ name: `e${at}`, at, attributes: {} }));
    const [body = ""] = otlpRequests({ traceId, resource: {}, spans: [span({ events })] });
    expect(body.match(/"e\d"/g)).toEqual(['"e1"', '"e2"', '"e3"']);
  });

  it("have instants that 64 bits without a sign can have", () => {
    const [startAt, endAt] = [Date.parse("0001-01-01T00:00:00Z"), Date.parse("9999-12-31T23:59:59Z")];
    const [body = ""] = otlpRequests({ traceId, resource: {}, spans: [span({ startAt, endAt })] });
    expect(body).toContain('"startTimeUnixNano":"0","endTimeUnixNano":"18446744073709000000"');
    expect(18_446_744_073_709_000_000n).toBeLessThan(2n ** 64n);
  });

  it("have texts of one line and at most 300 characters, and whole links", () => {
    const long = `a\nb\u202e${"x".repeat(400)}`;
    const url = `https://logs.example.org/${"x".repeat(400)}`;
    const attributes = {
      "outlive.queue.name": long,
      list: [long],
      "outlive.logs.url": url,
      "cicd.pipeline.run.url.full": url,
    };
    const events = [{ name: "e", at: 1, attributes: { reason: long } }];
    const spans = [span({ name: `job ${long}`, attributes, events, error: long })];
    const named = { "outlive.external_id.acme/logs.url": long };
    const [body = ""] = otlpRequests({ traceId, resource: { "service.name": long, ...named }, spans });
    expect(body).not.toContain("\\n");
    expect(body).not.toContain("\u202e");
    expect(body.match(/x{301,}/g)).toEqual(["x".repeat(400), "x".repeat(400)]);
    expect(body.split(url)).toHaveLength(3);
  });

  it("carry 512 spans each", () => {
    const spans = Array.from({ length: 1_025 }, () => span());
    const counts = otlpRequests({ traceId, resource: {}, spans }).map((body) => body.split("spanId").length - 1);
    expect(counts).toEqual([512, 512, 1]);
    expect(otlpRequests({ traceId, resource: {}, spans: [] })).toEqual([]);
  });
});
