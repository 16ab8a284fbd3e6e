import { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import { requestLimits } from "../aws/request-limits.ts";

const REQUEST_MILLIS = 15_000;

/** A client with the SDK's standard settings: region, credentials and endpoint (`AWS_ENDPOINT_URL`) come from the environment. */
export function createCloudFormationClient(): CloudFormationClient {
  return new CloudFormationClient({
    requestHandler: requestLimits(REQUEST_MILLIS),
  });
}
