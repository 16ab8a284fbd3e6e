import type { DynamoDBRecord } from "aws-lambda";
import type { LogItem } from "../../../src/ports/log.ts";

/** A record of the log's stream about an item, as Lambda's event source mapping sends it: bytes are base64. */
export function streamRecord(
  item: LogItem,
  eventName: "INSERT" | "MODIFY" | "REMOVE" = "INSERT",
  more: Partial<DynamoDBRecord> = {},
): DynamoDBRecord {
  const Keys = { pk: { S: item.key.pk }, sk: { S: item.key.sk } };
  const image = {
    ...Keys,
    segment: { B: Buffer.from(item.bytes).toString("base64") },
    sha256: { B: Buffer.from(item.sha256, "hex").toString("base64") },
    facts: { N: String(item.factCount) },
    ttl: { N: "1832414400" },
  };
  return {
    eventID: "7de3041dd709b024af6f29e4fa13d34c",
    eventName,
    eventVersion: "1.1",
    eventSource: "aws:dynamodb",
    awsRegion: "eu-central-1",
    dynamodb: {
      ApproximateCreationDateTime: 1_795_262_400,
      Keys,
      ...(eventName !== "REMOVE" && { NewImage: image }),
      SequenceNumber: "4421584500000000017450439091",
      SizeBytes: 26,
      StreamViewType: "NEW_IMAGE",
    },
    eventSourceARN: "arn:aws:dynamodb:eu-central-1:123456789012:table/log/stream/2026-11-21T00:00:00.000",
    ...more,
  };
}
