import { Hono } from "hono";
import { answerPage } from "./answer-page.ts";
import type { PageConfig } from "./page-config.ts";
import type { PageFiles } from "./page-files.ts";

/** The API with the page beside it: the page's files at `/`, everything else as the API answers it. */
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
