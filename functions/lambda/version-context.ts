import type { Context } from "aws-lambda";

/** The remaining time, and the published version that runs (`$LATEST` without one). */
export type VersionContext = Pick<Context, "getRemainingTimeInMillis" | "functionVersion">;
