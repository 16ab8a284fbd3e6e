import type { Table } from "aws-cdk-lib/aws-dynamodb";
import { GRANTS } from "../src/deployment/grants.ts";
import { acceptPattern } from "./nag-suppression.ts";
import type { OutliveFunction } from "./outlive-function.ts";
import { streamArnOf } from "./table.ts";

/**
 * Lets an event source mapping read the stream of a table of Jobs for a function. Returns the ARN of the stream. A
 * stream serves two readers at a time: these are the functions `count` and `notify`, and no other may be added.
 */
export function grantJobStream(reader: OutliveFunction, table: Table): string {
  const stream = streamArnOf(table);
  reader.allow(GRANTS.readJobStreams, [stream]);
  reader.allow(GRANTS.listLogStreams, [`${table.tableArn}/stream/*`]);
  const pattern = { owner: table, pattern: "/stream/*" };
  acceptPattern(reader.role, pattern, "Lambda needs ListStreams on all streams of the table.");
  return stream;
}
