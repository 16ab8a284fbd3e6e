import { DescribeTimeToLiveCommand, type DynamoDBClient, UpdateTimeToLiveCommand } from "@aws-sdk/client-dynamodb";
import { awsError } from "../aws/aws-error.ts";
import type { TableExpiry } from "../../ports/expiry/table-expiry.ts";

/**
 * The time to live of a table. A change takes up to an hour, and DynamoDB refuses another one within this hour (API
 * reference, UpdateTimeToLive). An item that expires while deletion is suspended is deleted afterwards, unless it
 * expired more than five years ago.
 */
export function createTableExpiry(
  client: DynamoDBClient,
  { name, attribute }: { readonly name: string; readonly attribute: string },
): TableExpiry {
  return {
    name,
    read: async () => {
      const { TimeToLiveDescription: described } = await named(name, () =>
        client.send(new DescribeTimeToLiveCommand({ TableName: name })),
      );
      const status = described?.TimeToLiveStatus;
      if (status === "ENABLED") return "on";
      return status === undefined || status === "DISABLED" ? "off" : "changing";
    },
    set: async (wanted) => {
      const TimeToLiveSpecification = { Enabled: wanted === "on", AttributeName: attribute };
      const update = new UpdateTimeToLiveCommand({ TableName: name, TimeToLiveSpecification });
      try {
        await client.send(update);
        return "set";
      } catch (cause) {
        if (cause instanceof Error && cause.name === "ValidationException") return "refused";
        throw awsError(`Table ${name}`, cause);
      }
    },
  };
}

async function named<Result>(name: string, request: () => Promise<Result>): Promise<Result> {
  try {
    return await request();
  } catch (cause) {
    throw awsError(`Table ${name}`, cause);
  }
}
