import type { Table } from "aws-cdk-lib/aws-dynamodb";
import { GRANTS } from "../src/ports/deployment/grants.ts";
import { acceptPattern } from "./nag-suppression.ts";
import type { OutliveFunction } from "./outlive-function.ts";
import { streamArnOf } from "./storage/table.ts";

/**
 * Grants an event source mapping read access to the stream of a table of Jobs or runs. Returns the ARN of the stream. A
 * stream supports two readers at a time: `count` and `notify`. Do not add another one.
 */
export function grantJobStream(reader: OutliveFunction, table: Table): string {
  const stream = streamArnOf(table);
  reader.allow(GRANTS.readJobStreams, [stream]);
  reader.allow(GRANTS.listLogStreams, [`${table.tableArn}/stream/*`]);
  const pattern = { owner: table, pattern: "/stream/*" };
  acceptPattern(reader.role, pattern, "Lambda needs ListStreams on all streams of the table.");
  return stream;
}
