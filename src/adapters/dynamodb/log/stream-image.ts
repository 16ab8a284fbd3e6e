import type { LogItem } from "../../../ports/log.ts";
import { bytes, type Item, number, text } from "../attribute.ts";
import { toLogItem } from "./log-item.ts";
import { itemsOfPack } from "./pack-item.ts";

/** An attribute in a stream record of Lambda: bytes are base64 text, unlike in the SDK. */
interface ImageAttribute {
  readonly S?: string;
  readonly N?: string;
  readonly B?: string;
}

type Image = Readonly<Record<string, ImageAttribute>>;

/**
 * The segments in the new image of a stream record: a single segment, or the segments of a pack. None if the image is
 * not an item of the log.
 */
export function decodeStreamImage(image: Image = {}): readonly LogItem[] {
  const key = keyIn(image);
  if (key === undefined) return [];
  if (image.pack?.B !== undefined) return itemsOfPack({ ...key, pack: bytes(Buffer.from(image.pack.B, "base64")) });
  const content = contentIn(image);
  return content === undefined ? [] : [toLogItem({ ...key, ...content })];
}

function keyIn({ pk, sk }: Image): Item | undefined {
  return pk?.S === undefined || sk?.S === undefined ? undefined : { pk: text(pk.S), sk: text(sk.S) };
}

function contentIn({ segment, sha256, facts }: Image): Item | undefined {
  if (segment?.B === undefined || sha256?.B === undefined || facts?.N === undefined) return undefined;
  return {
    segment: bytes(Buffer.from(segment.B, "base64")),
    sha256: bytes(Buffer.from(sha256.B, "base64")),
    facts: number(Number(facts.N)),
  };
}
