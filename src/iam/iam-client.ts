import { IAMClient } from "@aws-sdk/client-iam";

const REQUEST_MILLIS = 15_000;
const CONNECTION_MILLIS = 3_000;

/** A client with the SDK's standard settings: region, credentials and endpoint (`AWS_ENDPOINT_URL`) come from the environment. */
export function createIamClient(): IAMClient {
  return new IAMClient({
    requestHandler: {
      connectionTimeout: CONNECTION_MILLIS,
      requestTimeout: REQUEST_MILLIS,
      throwOnRequestTimeout: true,
    },
  });
}
