import { legalHolds } from "../../upkeep/holds/legal-holds.ts";
import type { HoldSource } from "../../ports/expiry/holds.ts";

/** The parts of this build that hold data. Without any, data is deleted after its retention, and can be erased. */
export const HOLD_SOURCES: readonly HoldSource[] = [legalHolds];
