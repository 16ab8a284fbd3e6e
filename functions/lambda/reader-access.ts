import type { Access } from "../../src/http/access/access.ts";
import type { ReaderSettings } from "../../src/ports/deployment/settings/reader-settings.ts";
import { RegistrationCache } from "../../src/ports/registrations/registration-cache.ts";
import { createTokenVerifier } from "../../src/adapters/oidc/oidc-token-verifier.ts";
import { registrationsOnDemand } from "./registrations-on-demand.ts";

/** The configured access to a stage. */
export function accessOf(readers: ReaderSettings, stage: string): Access {
  switch (readers.kind) {
    case "open":
      return { kind: "inProcess" };
    case "iam": {
      const registrations = registrationsOnDemand(stage);
      return { kind: "iam", readers: new RegistrationCache({ registrations, kind: "readers", now: Date.now }) };
    }
    case "oidc": {
      const { rules, ...issuer } = readers;
      return { kind: "oidc", verify: createTokenVerifier(issuer, Date.now), rules };
    }
  }
}
