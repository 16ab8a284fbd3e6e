import { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import { requestLimits } from "../aws/request-limits.ts";

const REQUEST_MILLIS = 15_000;

/**
 * A client with the SDK's default settings: region, credentials and endpoint (`AWS_ENDPOINT_URL`) are in the
 * environment.
 */
export function createCloudFormationClient(): CloudFormationClient {
  return new CloudFormationClient({
    requestHandler: requestLimits(REQUEST_MILLIS),
  });
}
