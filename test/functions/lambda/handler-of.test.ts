import type { Context } from "aws-lambda";
import { describe, expect, it } from "vitest";
import { openRuntime } from "../../../functions/lambda/function-runtime.ts";
import { handlerOf } from "../../../functions/lambda/handler-of.ts";

function running() {
  const lines: Readonly<Record<string, unknown>>[] = [];
  const runtime = openRuntime("ingest", "prod", (line) => {
    expect(line.endsWith("\n")).toBe(true);
    lines.push(JSON.parse(line) as Readonly<Record<string, unknown>>);
  });
  return { lines, runtime };
}

function contextOf(awsRequestId: string): Context {
  return { awsRequestId } as Context;
}

describe("a function's handler", () => {
  it("prints the counters of an invocation as one line of CloudWatch metrics", async () => {
    const { lines, runtime } = running();
    const handler = handlerOf(runtime, async (added: number) => {
      runtime.count("Facts", added);
      runtime.count("Facts", added);
      runtime.count("SilentClusters", 0);
      return "done";
    });
    expect(await handler(3, contextOf("one"))).toBe("done");
    const { _aws: aws, ...values } = lines[0] ?? {};
    expect(values).toEqual({ Stage: "prod", Facts: 6, SilentClusters: 0 });
    expect(aws).toMatchObject({
      CloudWatchMetrics: [
        {
          Namespace: "Outlive",
          Dimensions: [["Stage"]],
          Metrics: [
            { Name: "Facts", Unit: "Count" },
            { Name: "SilentClusters", Unit: "Count" },
          ],
        },
      ],
    });
    await handler(1, contextOf("two"));
    expect(lines[1]).toMatchObject({ Facts: 2 });
  });

  it("prints no metrics without counters", async () => {
    const { lines, runtime } = running();
    await handlerOf(runtime, async () => "done")({}, contextOf("one"));
    expect(lines).toEqual([]);
  });

  it("logs an error with its causes and request id, prints the counters, and rethrows the error", async () => {
    const { lines, runtime } = running();
    const handler = handlerOf(runtime, async () => {
      runtime.count("Facts", 1);
      throw new Error("The batch failed.", { cause: new TypeError("The table is down.") });
    });
    await expect(handler({}, contextOf("one"))).rejects.toThrow("The batch failed.");
    expect(lines).toMatchObject([
      {
        level: "error",
        message: "The batch failed.",
        service: "ingest",
        stage: "prod",
        requestId: "one",
        error: { name: "Error", cause: { name: "TypeError", message: "The table is down." } },
      },
      { Facts: 1 },
    ]);
  });
});
