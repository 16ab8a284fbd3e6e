import { responsibilityOfDeleter } from "../../job/cause/deletion-responsibility.ts";
import { MORE_TIME, type Responsibility } from "../../job/cause/responsibility.ts";
import type { DerivedJob } from "../derived-job.ts";

/**
 * Who is responsible for what happened to a Job. Also of one that ended without a cause in its Pods: by its deadline,
 * or because it was deleted. `undefined` if nothing went wrong.
 */
export function responsibilityOfJob({ cause, verdict, deletedBy }: DerivedJob): Responsibility | undefined {
  if (cause !== undefined) return cause;
  if (verdict.reason === "DeadlineExceeded") return MORE_TIME;
  return verdict.state === "Deleted" && deletedBy !== undefined ? responsibilityOfDeleter(deletedBy) : undefined;
}
