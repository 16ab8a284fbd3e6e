import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { serveDemo } from "../../../cli/demo/demo-server.ts";
import { openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import { importRecordings } from "../../../src/host/embedded/import-recordings.ts";
import type { Attempt } from "../../../src/explain/answer-document.ts";

const deadline = new URL("../../../examples/deadline.ndjson.gz", import.meta.url).pathname;

async function served(port = 0) {
  const embedded = openEmbedded(":memory:");
  await importRecordings(embedded, { clusterName: "deadline", files: [deadline] });
  const server = await serveDemo(embedded, { host: "127.0.0.1", port });
  onTestFinished(async () => {
    await server.close();
    embedded.close();
  });
  return server;
}

describe("the server of a demo", () => {
  it("says to its page that it is one", async () => {
    const { url } = await served();
    expect(await (await fetch(`${url}/config.json`)).json()).toEqual({ signIn: { kind: "none" }, demo: true });
  });

  it("has links to logs that lead to itself", async () => {
    const { url } = await served();
    const job = `${url}/v1/clusters/deadline/namespaces/deadline/jobs/report-backoff-limit/pods`;
    const { items } = (await (await fetch(job)).json()) as { readonly items: readonly Attempt[] };
    const [link] = items[0]?.logs ?? [];
    expect(link?.name).toBe("Example logs");
    expect(link?.url.startsWith(`${url}/example-logs?`)).toBe(true);
  });

  it("takes the next port where one is in use", async () => {
    const remarks = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    onTestFinished(() => remarks.mockRestore());
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const { url } = await served(port);
    expect(Number(new URL(url).port)).toBeGreaterThan(port);
  });
});
