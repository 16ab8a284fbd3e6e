// Runs the functions of a checkout as Lambda does: ingest gets segments in messages of the queue, and the projector the
// stream of the log. `node fill-stage-in-process.ts CHECKOUT SEGMENTS.json` writes to the tables in the environment.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { DynamoDBClient, ScanCommand } from "@aws-sdk/client-dynamodb";

type Handler = (event: object, context: object) => Promise<unknown>;

const [checkout = "", file = ""] = process.argv.slice(2);
const segments = JSON.parse(readFileSync(file, "utf8")) as readonly string[];
// oxlint-disable-next-line node/no-process-env -- the tables are settings of the functions of any release
const { OUTLIVE_LOG_TABLE: log } = process.env;
const context = {
  awsRequestId: "fixture",
  functionName: "fixture",
  getRemainingTimeInMillis: () => 60_000,
};

const failures: unknown[] = [];
const ingest = await handlerOf("ingest");
failures.push(await ingest({ Records: segments.map(messageOf) }, context));
const project = await handlerOf("project");
const { Items = [] } = await new DynamoDBClient({}).send(new ScanCommand({ TableName: log }));
for (const item of Items) failures.push(await project({ Records: [insertOf(item)] }, context));
const left = failures.filter((failed) => /itemIdentifier/.test(JSON.stringify(failed ?? null)));
if (left.length > 0) throw new Error(`Some records were not taken: ${JSON.stringify(left)}`);

async function handlerOf(name: string): Promise<Handler> {
  const url = pathToFileURL(join(checkout, "functions", `${name}.ts`)).href;
  const { handler } = (await import(url)) as { readonly handler: Handler };
  return handler;
}

function messageOf(body: string, index: number) {
  return {
    messageId: `${index}`,
    receiptHandle: `${index}`,
    body,
    attributes: {
      ApproximateReceiveCount: "1",
      SentTimestamp: `${Date.now()}`,
      ApproximateFirstReceiveTimestamp: `${Date.now()}`,
      SenderId: "AROAEXAMPLE:exporter-0",
    },
    messageAttributes: {},
    md5OfBody: "",
    eventSource: "aws:sqs",
    eventSourceARN: "arn:aws:sqs:eu-central-1:123456789012:segments",
    awsRegion: "eu-central-1",
  };
}

/** Bytes in a stream are base64. */
function insertOf(item: Readonly<Record<string, { readonly B?: Uint8Array }>>) {
  const image = Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      value.B === undefined ? value : { B: Buffer.from(value.B).toString("base64") },
    ]),
  );
  return {
    eventID: "1",
    eventName: "INSERT",
    eventVersion: "1.1",
    eventSource: "aws:dynamodb",
    awsRegion: "eu-central-1",
    dynamodb: {
      ApproximateCreationDateTime: Math.floor(Date.now() / 1_000),
      Keys: { pk: image["pk"], sk: image["sk"] },
      NewImage: image,
      SequenceNumber: "1",
      StreamViewType: "NEW_IMAGE",
    },
    eventSourceARN: "arn:aws:dynamodb:eu-central-1:123456789012:table/log/stream/2026-11-21T00:00:00.000",
  };
}
