import type { Severity } from "../../src/explain/attention/severity.ts";

/** How the page names severities. */
export const SEVERITY_TEXTS: Readonly<Record<Severity, { readonly title: string; readonly meaning: string }>> = {
  failed: { title: "Failed now", meaning: "Ended without success, or did not start when due." },
  atRisk: { title: "At risk", meaning: "Not finished, and may fail." },
  cleanedUp: { title: "Finished with findings", meaning: "Over. Work was repeated, lost or left behind." },
};
