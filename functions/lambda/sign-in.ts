import type { SignIn } from "../../src/http/page/page-config.ts";
import type { PageReaders } from "../../src/runtime/page-settings.ts";

/**
 * How a reader of the page signs in. A browser cannot sign as an IAM principal: then the page asks for a token, which
 * the API rejects with an explanation.
 */
export function signInOf({ readers, client }: PageReaders): SignIn {
  if (readers.kind === "open") return { kind: "none" };
  if (client === undefined || readers.kind !== "oidc") return { kind: "token" };
  return { kind: "oidc", issuer: readers.issuer, ...client };
}
