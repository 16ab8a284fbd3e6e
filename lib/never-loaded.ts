/**
 * Modules that the SDK imports on demand and the functions never need: Lambda provides credentials in the environment,
 * and no request uses an event stream. They would be a quarter of each bundle (measured by bench/lambda-bundles.ts).
 */
export const NEVER_LOADED = [
  "@aws-sdk/credential-provider-http",
  "@aws-sdk/credential-provider-ini",
  "@aws-sdk/credential-provider-process",
  "@aws-sdk/credential-provider-sso",
  "@aws-sdk/credential-provider-web-identity",
  "@smithy/credential-provider-imds",
  "@smithy/core/event-streams",
];
