import { Hono } from "hono";
import { serverApi } from "../../../src/host/server/server-api.ts";
import { listen } from "../../../src/host/server/listen.ts";
import type { Access } from "../../../src/http/access/access.ts";
import type { ApiStores } from "../../../src/http/create-api.ts";
import { OpenStreams } from "../../../src/http/streams/open-streams.ts";
import type { PageConfig } from "../../../src/http/page/page-config.ts";
import { readPageFiles } from "../../../src/http/page/page-files.ts";
import { problem } from "../../../src/http/contract/problem.ts";
import { withPage } from "../../../src/http/page/with-page.ts";
import { buildPage } from "../../../web/build-page.ts";

/** What the network between the page and the API does to requests. */
export type Trouble = "none" | "failing" | "unauthorized" | "cut" | "holding";

export interface ServedPage {
  readonly url: string;
  /** Applies to the following requests. Held requests continue with any other value. */
  readonly trouble: (trouble: Trouble) => void;
  /** Ends every stream of changes, like a restart of the server. */
  readonly breakStreams: () => void;
  /** The `Last-Event-ID` of each stream that was opened. */
  readonly resumedFrom: readonly (string | undefined)[];
  readonly close: () => Promise<void>;
}

export interface ServedPageOptions {
  readonly stores: ApiStores;
  /** The folder of the build. */
  readonly folder: string;
  readonly access?: Access;
  readonly config?: PageConfig;
  /** Answers like a Lambda function, which cannot stream. @default false */
  readonly withoutStreams?: boolean;
}

/** The built page and the real API behind a network that can fail. */
export async function servePage({
  stores,
  folder,
  access = { kind: "loopback" },
  config = { signIn: { kind: "none" } },
  withoutStreams = false,
}: ServedPageOptions): Promise<ServedPage> {
  await buildPage(folder);
  const streams = new OpenStreams();
  const live = withoutStreams ? {} : { streams };
  const errors: Error[] = [];
  const served = withPage(
    serverApi({ stores, access, onError: (error) => void errors.push(error), ...live }),
    await readPageFiles(folder),
    config,
  );
  const network = new Network();
  const server = await listen(network.before(served), { host: "127.0.0.1", port: 0 });
  return {
    url: `${server.url}/`,
    trouble: (trouble) => network.set(trouble),
    breakStreams: () => streams.endAll(),
    resumedFrom: network.resumedFrom,
    close: async () => {
      network.set("none");
      streams.endAll();
      await server.close();
      if (errors.length > 0) throw new AggregateError(errors, "The API answered 500.");
    },
  };
}

class Network {
  readonly resumedFrom: (string | undefined)[] = [];
  #trouble: Trouble = "none";
  #held = Promise.withResolvers<void>();

  set(trouble: Trouble): void {
    this.#trouble = trouble;
    this.#held.resolve();
    if (trouble === "holding") this.#held = Promise.withResolvers<void>();
  }

  before(served: Hono): Hono {
    const app = new Hono();
    app.all("/v1/*", async (context) => {
      const wantsStream = context.req.path === "/v1/changes";
      if (wantsStream) this.resumedFrom.push(context.req.header("last-event-id"));
      if (this.#trouble === "holding") await this.#held.promise;
      return (await this.#refusal()) ?? served.fetch(context.req.raw, context.env);
    });
    app.all("*", (context) => served.fetch(context.req.raw, context.env));
    return app;
  }

  async #refusal(): Promise<Response | undefined> {
    switch (this.#trouble) {
      case "none":
      case "holding":
        return undefined;
      case "failing":
        return problemResponse(503, JSON.stringify(problem("not-ready", "The store cannot be read now.")));
      case "unauthorized":
        return problemResponse(401, JSON.stringify(problem("unauthorized", "The token is over.")));
      case "cut":
        return new Response("<html>Bad Gateway</html>", { status: 502, headers: { "content-type": "text/html" } });
    }
  }
}

function problemResponse(status: number, body: string): Response {
  return new Response(body, { status, headers: { "content-type": "application/problem+json" } });
}
