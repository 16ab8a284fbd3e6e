import type { DynamoDBRecord } from "aws-lambda";
import { decodeStreamImage } from "../../src/adapters/dynamodb/log/stream-image.ts";
import type { LogItem, LogKey } from "../../src/ports/log.ts";

/** The contents of stream records. */
export interface StreamRecords {
  readonly items: readonly LogItem[];
  /** New items whose records cannot be decoded: read them from the log. */
  readonly unreadable: readonly LogKey[];
  /** Descriptions of records that Outlive never causes: the log is append-only, and only TTL deletes from it. */
  readonly foreign: readonly string[];
}

export function readStreamRecords(records: readonly DynamoDBRecord[]): StreamRecords {
  const items: LogItem[] = [];
  const unreadable: LogKey[] = [];
  const foreign: string[] = [];
  for (const record of records) {
    const read = record.eventName === "INSERT" ? decodeStreamImage(record.dynamodb?.NewImage) : [];
    const key = keyOf(record);
    if (read.length > 0) items.push(...read);
    else if (record.eventName === "INSERT" && key !== undefined) unreadable.push(key);
    else if (!isExpiry(record)) foreign.push(foreignText(record, key));
  }
  return { items, unreadable, foreign };
}

/** The service identity of a TTL deletion (Developer Guide, "DynamoDB Streams and Time to Live"). */
function isExpiry({ eventName, userIdentity }: DynamoDBRecord): boolean {
  const identity = userIdentity as { readonly type?: unknown; readonly principalId?: unknown } | undefined;
  return eventName === "REMOVE" && identity?.type === "Service" && identity.principalId === "dynamodb.amazonaws.com";
}

function keyOf({ dynamodb }: DynamoDBRecord): LogKey | undefined {
  const pk = dynamodb?.Keys?.["pk"]?.S;
  const sk = dynamodb?.Keys?.["sk"]?.S;
  return pk === undefined || sk === undefined ? undefined : { pk, sk };
}

function foreignText({ eventName }: DynamoDBRecord, key: LogKey | undefined): string {
  const where = key === undefined ? "without a key" : `${key.pk} ${key.sk}`;
  const what = eventName === "REMOVE" ? "was deleted" : eventName === "MODIFY" ? "was changed" : "cannot be read";
  return (
    `Log item ${where} ${what}, which Outlive never does. Find the principal in CloudTrail, and compare the ` +
    `projection with the log (\`outlive verify\`).`
  );
}
