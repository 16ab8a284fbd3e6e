import type { Rights } from "../../query/access/scope.ts";
import { type Problem, type ProblemKind, problem } from "../contract/problem.ts";

/** What identifies the caller of a request. */
export interface Credentials {
  readonly host?: string | undefined;
  readonly authorization?: string | undefined;
  /**
   * The principal that signed the request, from API Gateway's `requestContext.identity.caller`; never from a header.
   */
  readonly iamCaller?: string | undefined;
  /** The address of the connection. It identifies readers who need no credentials. */
  readonly remoteAddress?: string | undefined;
}

/** Whether a caller has access, and to what. */
export type Admission =
  | ({
      readonly outcome: "admitted";
      /** Identifies the reader, for limits per reader. Never sent to anyone. */
      readonly reader: string;
      /** Names the reader in what it writes: its token, subject or principal. */
      readonly name: string;
    } & Rights)
  | { readonly outcome: "refused"; readonly problem: Problem };

export function refuse(kind: ProblemKind, detail: string): Admission {
  return { outcome: "refused", problem: problem(kind, detail) };
}
