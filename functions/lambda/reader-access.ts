import type { Access } from "../../src/http/access/access.ts";
import type { ReaderSettings } from "../../src/ports/deployment/settings/reader-settings.ts";
import { createTokenVerifier } from "../../src/adapters/oidc/oidc-token-verifier.ts";

/** The configured access. */
export function accessOf(readers: ReaderSettings): Access {
  switch (readers.kind) {
    case "open":
      return { kind: "inProcess" };
    case "iam":
      return { kind: "iam" };
    case "oidc": {
      const { rules, ...issuer } = readers;
      return { kind: "oidc", verify: createTokenVerifier(issuer, Date.now), rules };
    }
  }
}
