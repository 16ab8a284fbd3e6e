import {
  JwksValidationError,
  JwkValidationError,
  JwtBaseError,
  JwtExpiredError,
  JwtInvalidAudienceError,
  JwtInvalidIssuerError,
  JwtInvalidSignatureAlgorithmError,
  JwtInvalidSignatureError,
  JwtNotBeforeError,
  JwtParseError,
  JwtWithoutValidKidError,
  KidNotFoundInJwksError,
  WaitPeriodNotYetEndedJwkError,
} from "aws-jwt-verify/error";

/** The token is well signed and asks for what this server does not grant to any token. The message is a sentence for who sent it. */
export class TokenTermsError extends Error {
  override readonly name = "TokenTermsError";
}

/** What each refusal means to who sent the token. The first that fits; the base class comes last. */
const REASONS: readonly (readonly [abstract new (...args: never[]) => Error, string])[] = [
  [JwtExpiredError, "The token has expired: get a new one."],
  [JwtNotBeforeError, "The token is not valid yet: check the clock of who issued it, or wait."],
  [JwtInvalidIssuerError, "The token comes from another issuer than the one this server trusts."],
  [JwtInvalidAudienceError, "The token was made for another audience: ask its issuer for one for this server."],
  [JwtInvalidSignatureAlgorithmError, "The token is signed in a way that this server does not take."],
  [JwtInvalidSignatureError, "The token's signature does not fit."],
  [JwtWithoutValidKidError, "The token does not say which key signed it (`kid`)."],
  [KidNotFoundInJwksError, "The token was signed with a key that its issuer does not have: get a new one."],
  [
    WaitPeriodNotYetEndedJwkError,
    "The token was signed with a key that is not known here. If the issuer has just changed its keys, ask again in ten seconds.",
  ],
  [JwtParseError, "The token cannot be read."],
  [JwtBaseError, "The token is not valid."],
];

/** Why a token was refused, as a sentence; `undefined` where something else went wrong. */
export function refusalReason(cause: unknown): string | undefined {
  if (cause instanceof TokenTermsError) return cause.message;
  return REASONS.find(([kind]) => cause instanceof kind)?.[1];
}

/** Whether what the issuer gave out as its keys is no set of keys. */
export function areNoKeys(cause: unknown): cause is Error {
  return cause instanceof JwksValidationError || cause instanceof JwkValidationError;
}
