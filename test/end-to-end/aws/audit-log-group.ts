import { Sha256 } from "@smithy/core/checksum";
import { SignatureV4 } from "@smithy/signature-v4";

export type Environment = Readonly<Record<string, string>>;

interface Subscriptions {
  readonly subscriptionFilters: readonly {
    readonly filterName: string;
    readonly filterPattern: string;
    readonly destinationArn: string;
  }[];
}

/** A log group as EKS creates it, in the account of an emulator. */
export function auditLogGroup(logGroupName: string, environment: Environment) {
  const logStreamName = "kube-apiserver-audit-1a2b";
  const named = { logGroupName, logStreamName };
  return {
    create: async () => {
      await requestLogs(environment, "CreateLogGroup", { logGroupName });
      await requestLogs(environment, "CreateLogStream", named);
    },
    /**
     * Sets the pattern of the subscription aside: MiniStack and LocalStack do not evaluate patterns of JSON. The tests
     * of the template do (test/lib/audit-logs/deletions-pattern.test.ts).
     */
    deliverEverything: async () => {
      const { subscriptionFilters } = await requestLogs<Subscriptions>(environment, "DescribeSubscriptionFilters", {
        logGroupName,
      });
      for (const { filterName, destinationArn } of subscriptionFilters) {
        const filter = { logGroupName, filterName, destinationArn, filterPattern: "" };
        await requestLogs(environment, "PutSubscriptionFilter", filter);
      }
      return subscriptionFilters;
    },
    write: async (messages: readonly string[]) => {
      const logEvents = messages.map((message) => ({ timestamp: Date.now(), message }));
      await requestLogs(environment, "PutLogEvents", { ...named, logEvents });
    },
  };
}

/** One request to CloudWatch Logs, whose client Outlive does not need. */
export async function requestLogs<Answer = unknown>(
  environment: Environment,
  action: string,
  input: object,
): Promise<Answer> {
  const { AWS_ENDPOINT_URL = "", AWS_REGION: region = "", AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = environment;
  const { hostname, port, protocol } = new URL(AWS_ENDPOINT_URL);
  const credentials = { accessKeyId: AWS_ACCESS_KEY_ID ?? "", secretAccessKey: AWS_SECRET_ACCESS_KEY ?? "" };
  const signer = new SignatureV4({ service: "logs", region, credentials, sha256: Sha256 });
  const body = JSON.stringify(input);
  const headers = {
    host: `${hostname}:${port}`,
    "content-type": "application/x-amz-json-1.1",
    "x-amz-target": `Logs_20140328.${action}`,
  };
  const signed = await signer.sign({
    method: "POST",
    protocol,
    hostname,
    port: Number(port),
    path: "/",
    headers,
    body,
  });
  const answer = await fetch(AWS_ENDPOINT_URL, { method: "POST", headers: signed.headers, body });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${action}: ${answer.status} ${text}`);
  return (text === "" ? undefined : JSON.parse(text)) as Answer;
}
