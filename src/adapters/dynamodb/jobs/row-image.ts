import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import type { JobKey } from "../../../ports/jobs.ts";
import type { ProjectionName } from "../../../ports/projections.ts";
import type { RowWrite } from "../../../ports/row-write.ts";
import type { Item } from "../attribute.ts";
import { keyOfState, ROW_ATTRIBUTES, toRow } from "./job-item.ts";

/** An attribute in a stream record of Lambda: bytes are base64 text, unlike in the SDK. */
interface ImageAttribute {
  readonly S?: string;
  readonly N?: string;
  readonly B?: string;
}

type Image = Readonly<Record<string, ImageAttribute>>;

/** A record of the stream of a table of Jobs, with both images. */
export interface JobRecord {
  readonly ApproximateCreationDateTime?: number | undefined;
  readonly OldImage?: Image | undefined;
  readonly NewImage?: Image | undefined;
}

/** The write of a row of a Job or run; `undefined` for a page, a deleted state, and a state without a row. */
export function decodeRowWrite(
  projection: ProjectionName,
  { NewImage, OldImage, ApproximateCreationDateTime = 0 }: JobRecord = {},
): RowWrite | undefined {
  if (NewImage?.sk?.S !== "S") return undefined;
  const key = keyOf(NewImage);
  const after = toRow(itemOf(NewImage));
  if (key === undefined || after === undefined) return undefined;
  const before = OldImage && toRow(itemOf(OldImage));
  return { projection, writtenAt: ApproximateCreationDateTime * 1_000, key, after, ...(before && { before }) };
}

function keyOf({ pk }: Image): JobKey | undefined {
  return keyOfState(pk?.S ?? "");
}

function itemOf(image: Image): Item {
  const attributes = ROW_ATTRIBUTES.flatMap((name): readonly (readonly [string, AttributeValue])[] => {
    const { S, N, B } = image[name] ?? {};
    if (S !== undefined) return [[name, { S }]];
    if (N !== undefined) return [[name, { N }]];
    return B === undefined ? [] : [[name, { B: Buffer.from(B, "base64") }]];
  });
  return Object.fromEntries(attributes);
}
