/** Checks issuer, audience, signature and validity period of a token (JWT). Never throws because of the token. */
export type VerifyToken = (token: string) => Promise<VerifiedToken>;

export type VerifiedToken =
  | { readonly outcome: "verified"; readonly claims: Readonly<Record<string, unknown>> }
  /** The token is invalid; `reason` is a sentence for the caller. */
  | { readonly outcome: "refused"; readonly reason: string }
  /** The issuer's keys cannot be read. The caller is not at fault. */
  | { readonly outcome: "unverifiable"; readonly reason: string };
