/**
 * What the SDK imports only when it is needed, and never is: Lambda has a function's credentials in its environment, where the SDK looks first, and no
 * request of ours streams events. A quarter of each bundle; bench/lambda-bundles.ts measures them.
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
