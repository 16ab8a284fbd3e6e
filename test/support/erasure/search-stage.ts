import { type AttributeValue, DynamoDBClient, ScanCommand, type ScanCommandOutput } from "@aws-sdk/client-dynamodb";
import { GetObjectCommand, ListObjectVersionsCommand, type S3Client } from "@aws-sdk/client-s3";
import { isPackItem, itemsOfPack } from "../../../src/adapters/dynamodb/log/pack-item.ts";
import { textsIn } from "./search-bytes.ts";

/** Where a text was found on a stage: a table, or an object with its version. */
export interface FoundOnStage {
  readonly where: string;
  readonly text: string;
}

/** Searches every attribute of every item of a table, decoded as the product decodes it. */
export async function searchTable(table: string, texts: readonly string[]): Promise<readonly FoundOnStage[]> {
  const client = new DynamoDBClient({});
  const found: FoundOnStage[] = [];
  let from: Record<string, AttributeValue> | undefined;
  do {
    const scan = new ScanCommand({ TableName: table, ...(from && { ExclusiveStartKey: from }) });
    const page: ScanCommandOutput = await client.send(scan);
    for (const item of page.Items ?? []) {
      for (const bytes of bytesIn(item)) {
        for (const text of await textsIn(bytes, texts)) found.push({ where: table, text });
      }
    }
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  return found;
}

/** The values of an item, and the segments inside a pack of the log. */
function bytesIn(item: Record<string, AttributeValue>): readonly Uint8Array[] {
  const values = Object.values(item).map((value) => value.B ?? Buffer.from(value.S ?? ""));
  return isPackItem(item) ? [...values, ...itemsOfPack(item).map(({ bytes }) => bytes)] : values;
}

/** Searches every version of every object of a bucket, and the keys. */
export async function searchBucket(
  client: S3Client,
  bucket: string,
  texts: readonly string[],
): Promise<readonly FoundOnStage[]> {
  const found: FoundOnStage[] = [];
  const { Versions = [] } = await client.send(new ListObjectVersionsCommand({ Bucket: bucket }));
  for (const { Key = "", VersionId } of Versions) {
    const version = { Bucket: bucket, Key, ...(VersionId !== undefined && { VersionId }) };
    const got = await client.send(new GetObjectCommand(version));
    const bytes = (await got.Body?.transformToByteArray()) ?? new Uint8Array();
    const named = texts.filter((text) => Key.includes(text));
    for (const text of new Set([...named, ...(await textsIn(bytes, texts))])) found.push({ where: bucket, text });
  }
  return found;
}
