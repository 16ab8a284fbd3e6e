import { Hono } from "hono";
import { exampleLogLinks, withExampleLogs } from "./example-logs.ts";
import type { Embedded } from "../../src/host/embedded/embedded-tracker.ts";
import { reportFailure } from "../../src/host/command-line/report-failure.ts";
import { trackerMetrics } from "../../src/host/embedded/tracker-metrics.ts";
import { withBuiltPage } from "../../src/host/server/built-page.ts";
import { type ListenAddress, type Listening, listen, PortTakenFailure } from "../../src/host/server/listen.ts";
import { serverApi } from "../../src/host/server/server-api.ts";
import { OpenStreams } from "../../src/http/streams/open-streams.ts";
import { remark } from "../output/print-answer.ts";

/** Serves the page, the API, and an example of a log system. */
export async function serveDemo(embedded: Embedded, address: ListenAddress): Promise<Pick<Listening, "url" | "close">> {
  const streams = new OpenStreams();
  const served = Promise.withResolvers<Hono>();
  const app = new Hono();
  app.all("*", async (context) => (await served.promise).fetch(context.req.raw, context.env));
  const server = await listenOnFreePort(app, address);
  const access = { kind: "loopback" } as const;
  const api = serverApi({
    // The address of the log system is known only now.
    stores: { ...embedded, logLinks: exampleLogLinks(server.url) },
    access,
    onError: (error) => reportFailure(error, { stack: false }),
    streams,
    serverMetrics: trackerMetrics(embedded, { streams }),
  });
  served.resolve(withExampleLogs(await withBuiltPage(api, access, { demo: true })));
  return {
    url: server.url,
    close: async () => {
      streams.endAll();
      await server.close();
    },
  };
}

async function listenOnFreePort(app: Hono, { host, port }: ListenAddress): Promise<Listening> {
  for (let tried = port; ; tried += 1) {
    try {
      return await listen(app, { host, port: tried });
    } catch (error) {
      if (!(error instanceof PortTakenFailure) || tried >= port + MOST_PORTS_TRIED) throw error;
      remark(`Port ${tried} is in use; trying the next one.`);
    }
  }
}
const MOST_PORTS_TRIED = 100;
