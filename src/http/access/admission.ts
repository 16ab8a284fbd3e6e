import type { Scope } from "../../query/access/scope.ts";
import { type Problem, type ProblemKind, problem } from "../contract/problem.ts";

/** What a request says of who asks. */
export interface Credentials {
  readonly host?: string | undefined;
  readonly authorization?: string | undefined;
  /** Who signed the request, as API Gateway says (`requestContext.identity.caller`): never taken from a header. */
  readonly iamCaller?: string | undefined;
}

/** Whether who asks may ask, and then what they may see. */
export type Admission =
  | { readonly outcome: "admitted"; readonly scope: Scope }
  | { readonly outcome: "refused"; readonly problem: Problem };

export function refuse(kind: ProblemKind, detail: string): Admission {
  return { outcome: "refused", problem: problem(kind, detail) };
}
