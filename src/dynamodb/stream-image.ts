import type { LogItem } from "../ports/log.ts";
import { bytes, type Item, number, text } from "./attribute.ts";
import { toLogItem } from "./log-item.ts";

/** An attribute in a stream record of Lambda: bytes are base64 text, unlike in the SDK. */
interface ImageAttribute {
  readonly S?: string;
  readonly N?: string;
  readonly B?: string;
}

/** The log item in the new image of a stream record; `undefined` where it is not one. */
export function decodeStreamImage(image: Readonly<Record<string, ImageAttribute>> | undefined): LogItem | undefined {
  const { pk, sk, segment, sha256, facts } = image ?? {};
  if (pk?.S === undefined || sk?.S === undefined || segment?.B === undefined) return undefined;
  if (sha256?.B === undefined || facts?.N === undefined) return undefined;
  const item: Item = {
    pk: text(pk.S),
    sk: text(sk.S),
    segment: bytes(Buffer.from(segment.B, "base64")),
    sha256: bytes(Buffer.from(sha256.B, "base64")),
    facts: number(Number(facts.N)),
  };
  return toLogItem(item);
}
