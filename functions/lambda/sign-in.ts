import type { SignIn } from "../../src/http/page/page-config.ts";
import type { PageClient } from "../../src/ports/deployment/settings/page-client.ts";
import type { ReaderSettings } from "../../src/ports/deployment/settings/reader-settings.ts";

/**
 * How a reader of the page signs in. A browser cannot sign as an IAM principal: then the page asks for a token, which
 * the API rejects with an explanation.
 */
export function signInOf({
  readers,
  client,
}: {
  readonly readers: ReaderSettings;
  readonly client?: PageClient | undefined;
}): SignIn {
  if (readers.kind === "open") return { kind: "none" };
  if (client === undefined || readers.kind !== "oidc") return { kind: "token" };
  return { kind: "oidc", issuer: readers.issuer, ...client };
}
