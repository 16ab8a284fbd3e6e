import { IAMClient } from "@aws-sdk/client-iam";
import { requestLimits } from "../aws/request-limits.ts";

const REQUEST_MILLIS = 15_000;

/**
 * A client with the SDK's default settings: region, credentials and endpoint (`AWS_ENDPOINT_URL`) are in the
 * environment.
 */
export function createIamClient(): IAMClient {
  return new IAMClient({
    requestHandler: requestLimits(REQUEST_MILLIS),
  });
}
