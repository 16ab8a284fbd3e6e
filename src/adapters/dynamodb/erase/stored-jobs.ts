import { type AttributeValue, ScanCommand } from "@aws-sdk/client-dynamodb";
import { type ClusterName, decodeJobUid, type JobUid } from "../../../job/model/ids.ts";
import { textOf } from "../attribute.ts";
import { type DynamoTable, named } from "../dynamo-table.ts";
import { jobOfPartition } from "../jobs/job-item.ts";

/**
 * The Jobs of a cluster in a table, in any order: listed Jobs, unlisted ones, and those of which only pages are left.
 * No index contains all of them, so the whole table is scanned. A strongly consistent scan costs one read unit per 4
 * KB, whatever it returns; a page of it has 1 MB.
 */
export async function* storedJobs(table: DynamoTable, cluster: ClusterName): AsyncGenerator<JobUid> {
  let before: string | undefined;
  let from: Record<string, AttributeValue> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await scanKeys(table, cluster, from);
    for (const item of Items) {
      const partition = textOf(item, "pk");
      const uid = decodeJobUid(jobOfPartition(partition));
      // The items of a partition follow each other.
      if (uid !== undefined && partition !== before) yield uid;
      before = partition;
    }
    from = LastEvaluatedKey;
  } while (from !== undefined);
}

function scanKeys(table: DynamoTable, cluster: ClusterName, from: Record<string, AttributeValue> | undefined) {
  const scan = new ScanCommand({
    TableName: table.name,
    ConsistentRead: true,
    ProjectionExpression: "pk",
    FilterExpression: "begins_with(pk, :cluster)",
    ExpressionAttributeValues: { ":cluster": { S: `${cluster}#` } },
    ...(from && { ExclusiveStartKey: from }),
  });
  return named(table.name, () => table.client.send(scan));
}
