import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { exampleLogLinks, withExampleLogs } from "../../../cli/demo/example-logs.ts";
import { fillLogLink } from "../../../src/explain/log-links/log-link-template.ts";

describe("the example of a log system", () => {
  const app = withExampleLogs(new Hono().get("/", (context) => context.text("the page")));
  const [link] = exampleLogLinks("http://127.0.0.1:8080").links;
  const pod = { cluster: "generated-eu", namespace: "shop", pod: "sync-1", from: 0, to: 60_000 };

  it("is where the links lead, and says what a log system would show", async () => {
    const url = link && fillLogLink(link.url, pod);
    const answer = await app.request(url ?? "");
    expect(answer.headers.get("content-type")).toMatch(/^text\/plain/);
    const text = await answer.text();
    expect(text).toMatch(/^This is an example\./);
    expect(text).toMatch(/namespace +shop\n +pod +sync-1\n +from +1970-01-01T00:00:00Z\n +to +1970-01-01T00:01:00Z/);
  });

  it("leaves every other address to what is served", async () => {
    expect(await (await app.request("/")).text()).toBe("the page");
  });
});
