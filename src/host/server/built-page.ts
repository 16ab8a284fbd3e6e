import type { Hono } from "hono";
import type { Access } from "../../http/access/access.ts";
import type { PageConfig } from "../../http/page/page-config.ts";
import { readPageFiles } from "../../http/page/page-files.ts";
import { withPage } from "../../http/page/with-page.ts";
import { packageFolder } from "../runtime/package-folder.ts";

/** The API with the page at `/`. The page asks for a token if the API requires one. */
export async function withBuiltPage(api: Hono, access: Access, config: Pick<PageConfig, "demo"> = {}): Promise<Hono> {
  const signIn = access.kind === "loopback" ? ({ kind: "none" } as const) : ({ kind: "token" } as const);
  return withPage(api, await readPageFiles(packageFolder("web/dist")), { signIn, ...config });
}
