import { Hono } from "hono";
import { answerPage } from "./answer-page.ts";
import type { PageConfig } from "./page-config.ts";
import type { PageFiles } from "./page-files.ts";

/** The API and the page: the page's files at `/`, the API at all other paths. */
export function withPage(api: Hono, files: PageFiles, config: PageConfig): Hono {
  const app = new Hono();
  app.get("*", async (context, next) => {
    const { path } = context.req;
    const answer = answerPage(files, config, { path, acceptEncoding: context.req.header("accept-encoding") });
    return answer ?? next();
  });
  app.all("*", (context) => api.fetch(context.req.raw, context.env));
  return app;
}
