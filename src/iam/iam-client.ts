import { IAMClient } from "@aws-sdk/client-iam";
import { requestLimits } from "../aws/request-limits.ts";

const REQUEST_MILLIS = 15_000;

/** A client with the SDK's standard settings: region, credentials and endpoint (`AWS_ENDPOINT_URL`) come from the environment. */
export function createIamClient(): IAMClient {
  return new IAMClient({
    requestHandler: requestLimits(REQUEST_MILLIS),
  });
}
