import type { FindingKind } from "../../src/explain/findings/finding-kinds.ts";
import { KIND_TEXTS } from "../../src/explain/findings/findings.ts";

/** Kinds of findings, ongoing problems first. */
export const KINDS = Object.keys(KIND_TEXTS) as readonly FindingKind[];
