import type {
  BatchGetItemInput,
  BatchGetItemOutput,
  BatchWriteItemInput,
  BatchWriteItemOutput,
  GetItemInput,
  GetItemOutput,
  PutItemInput,
  PutItemOutput,
  QueryInput,
  QueryOutput,
  ScanInput,
  ScanOutput,
} from "@aws-sdk/client-dynamodb";

/**
 * The requests to DynamoDB that are made here; there is none that updates or deletes a single item. The SDK's `DynamoDB` is one that makes them, for programs
 * that people start; {@link file://./signed-requests.ts} is another, for functions. What DynamoDB refuses is thrown by the name that AWS gives it.
 */
export interface DynamoRequests {
  getItem(input: GetItemInput): Promise<GetItemOutput>;
  putItem(input: PutItemInput): Promise<PutItemOutput>;
  query(input: QueryInput): Promise<QueryOutput>;
  scan(input: ScanInput): Promise<ScanOutput>;
  batchGetItem(input: BatchGetItemInput): Promise<BatchGetItemOutput>;
  batchWriteItem(input: BatchWriteItemInput): Promise<BatchWriteItemOutput>;
}
