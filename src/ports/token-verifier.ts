/** Says whether a token (JWT) was issued by whom we trust, for us, and is valid now. Never throws for what a caller sends. */
export type VerifyToken = (token: string) => Promise<VerifiedToken>;

export type VerifiedToken =
  | { readonly outcome: "verified"; readonly claims: Readonly<Record<string, unknown>> }
  /** The token is no good; `reason` is a sentence for who sent it. */
  | { readonly outcome: "refused"; readonly reason: string }
  /** Nobody can tell now: the issuer's keys cannot be read. Not the caller's fault. */
  | { readonly outcome: "unverifiable"; readonly reason: string };
