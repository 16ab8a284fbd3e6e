import type { PageConfig } from "../../src/http/page/page-config.ts";

const WITHOUT_CONFIGURATION: PageConfig = { signIn: { kind: "token" } };

/** The server's configuration of the page. Without one, the page accepts a pasted token. */
export async function readConfiguration(): Promise<PageConfig> {
  try {
    const response = await fetch("./config.json", { cache: "no-store" });
    return response.ok ? ((await response.json()) as PageConfig) : WITHOUT_CONFIGURATION;
  } catch {
    return WITHOUT_CONFIGURATION;
  }
}
