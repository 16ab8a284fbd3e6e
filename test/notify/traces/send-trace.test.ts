import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTraceSender } from "../../../src/notify/traces/send-trace.ts";
import type { HttpMessage, SendResult, TraceMessage } from "../../../src/ports/message-sender.ts";
import type { RunPorts } from "../../../src/query/ports.ts";
import { BERT, importedExample } from "../../support/notify/recorded-runs.ts";

let ports: RunPorts & { readonly close: () => void };
beforeAll(async () => {
  ports = await importedExample("jobset-restarts.ndjson.gz");
});
afterAll(() => ports.close());

const message: TraceMessage = {
  kind: "trace",
  url: "http://collector:4318/v1/traces",
  headers: { authorization: "Bearer x" },
  allowAddresses: ["10.0.0.0/8"],
  run: { ...BERT, cluster: "east" },
  link: "https://outlive.example.org/#/runs/bert",
  body: "{}",
};

/** Sends the trace to a receiver that answers so. */
async function sendTo(answer: SendResult, said: Partial<TraceMessage> = {}) {
  const posted: HttpMessage[] = [];
  const send = createTraceSender({
    open: async () => ports,
    post: async (request) => {
      posted.push(request);
      return answer;
    },
    now: () => Date.parse("2026-12-01T00:00:00Z"),
  });
  return { result: await send({ ...message, ...said }), posted };
}

function accepting(answer: unknown): SendResult {
  return { outcome: "accepted", status: 200, answer: typeof answer === "string" ? answer : JSON.stringify(answer) };
}

describe("a trace", () => {
  it("is sent to the address, with the headers and rules of its receiver, and with the link of its run", async () => {
    const { result, posted } = await sendTo(accepting({ partialSuccess: {} }));
    expect(result.outcome).toBe("accepted");
    const { url, headers, allowAddresses } = message;
    expect(posted).toMatchObject([{ kind: "http", url, headers, allowAddresses, readsAnswer: true }]);
    expect(posted[0]?.body).toContain('{"key":"cicd.pipeline.run.url.full","value":{"stringValue":"https://outlive');
  });

  it("is the same bytes when it is sent twice", async () => {
    const [first, again] = [await sendTo(accepting("")), await sendTo(accepting(""))];
    expect(again.posted).toEqual(first.posted);
  });

  it.each([
    [{ partialSuccess: { rejectedSpans: "2", errorMessage: "too\nold" } }, "2 spans were rejected: too old"],
    [{ partialSuccess: { rejectedSpans: 21 } }, "21 spans were rejected: "],
  ])(
    "that is accepted in part is given up with the reason, because OTLP forbids to repeat it: %j",
    async (answer, problem) => {
      const { result } = await sendTo(accepting(answer));
      expect(result).toMatchObject({ outcome: "refused" });
      expect("problem" in result && result.problem.replaceAll(/\s+/g, " ")).toBe(problem);
    },
  );

  it.each(["", "{}", "no JSON", { partialSuccess: { errorMessage: "use gRPC" } }])(
    "is accepted by the answer %j",
    async (answer) => {
      expect((await sendTo(accepting(answer))).result.outcome).toBe("accepted");
    },
  );

  it("is tried again as a whole when the receiver says so", async () => {
    const busy = { outcome: "rejected", status: 503, problem: "status 503", retryAfterMillis: 7_000 } as const;
    expect((await sendTo(busy)).result).toEqual(busy);
  });

  it("does not wait for the traces of a receiver that does not answer", async () => {
    const silent = "http://silent:4318/v1/traces";
    const send = createTraceSender({
      open: async () => ports,
      post: ({ url }) => (url === silent ? new Promise<SendResult>(() => {}) : Promise.resolve(accepting(""))),
      now: () => Date.parse("2026-12-01T00:00:00Z"),
    });
    for (let waiting = 0; waiting < 3; waiting += 1) void send({ ...message, url: silent });
    expect(await send(message)).toMatchObject({ outcome: "accepted" });
  });

  it("of a run that cannot be read is tried again", async () => {
    const send = createTraceSender({
      open: () => Promise.reject(new Error("the table\nis busy")),
      post: async () => accepting(""),
      now: () => 0,
    });
    const problem = "the run cannot be read: the table is busy";
    expect(await send(message)).toEqual({ outcome: "unreachable", problem });
  });

  it("of a run that was deleted is given up", async () => {
    const { result, posted } = await sendTo(accepting(""), { run: { ...message.run, uid: "other" } });
    expect(result).toEqual({ outcome: "refused", problem: "the run was deleted before its trace was sent" });
    expect(posted).toEqual([]);
  });
});
