import type { PageConfig } from "../../src/http/page/page-config.ts";

const NOBODY_ASKS: PageConfig = { signIn: { kind: "token" } };

/** The server's configuration of the page. Without one, the page accepts a pasted token. */
export async function readConfiguration(): Promise<PageConfig> {
  try {
    const response = await fetch("./config.json", { cache: "no-store" });
    return response.ok ? ((await response.json()) as PageConfig) : NOBODY_ASKS;
  } catch {
    return NOBODY_ASKS;
  }
}
