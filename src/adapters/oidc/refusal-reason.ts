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

/** The token has a valid signature but unacceptable terms. The message is written for the caller. */
export class TokenTermsError extends Error {
  override readonly name = "TokenTermsError";
}

/** What each error means for the caller. The first match counts, so base classes come last. */
const REASONS: readonly (readonly [abstract new (...args: never[]) => Error, string])[] = [
  [JwtExpiredError, "The token has expired. Get a new one."],
  [JwtNotBeforeError, "The token is not valid yet. Check the clock of its issuer, or wait."],
  [JwtInvalidIssuerError, "The token is from an issuer that this server does not trust."],
  [JwtInvalidAudienceError, "The token is for another audience. Request one for this server."],
  [JwtInvalidSignatureAlgorithmError, "The token is signed with an algorithm that this server does not accept."],
  [JwtInvalidSignatureError, "The signature of the token is invalid."],
  [JwtWithoutValidKidError, "The token does not name its key (`kid`)."],
  [KidNotFoundInJwksError, "The issuer does not have the key that signed the token. Get a new token."],
  [
    WaitPeriodNotYetEndedJwkError,
    "The key that signed the token is unknown. If the issuer has just rotated its keys, retry in ten seconds.",
  ],
  [JwtParseError, "The token is malformed."],
  [JwtBaseError, "The token is invalid."],
];

/** Why a token was refused; `undefined` for any other error. */
export function refusalReason(cause: unknown): string | undefined {
  if (cause instanceof TokenTermsError) return cause.message;
  return REASONS.find(([kind]) => cause instanceof kind)?.[1];
}

/** Whether the issuer returned something that is not a key set. */
export function isInvalidKeySet(cause: unknown): cause is Error {
  return cause instanceof JwksValidationError || cause instanceof JwkValidationError;
}
