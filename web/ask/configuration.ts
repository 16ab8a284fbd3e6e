import type { PageConfig } from "../../src/http/page/page-config.ts";

const NOBODY_ASKS: PageConfig = { signIn: { kind: "token" } };

/** How to sign in here, as the server that gave the page says. One that says nothing takes a token, if any. */
export async function readConfiguration(): Promise<PageConfig> {
  try {
    const response = await fetch("./config.json", { cache: "no-store" });
    return response.ok ? ((await response.json()) as PageConfig) : NOBODY_ASKS;
  } catch {
    return NOBODY_ASKS;
  }
}
