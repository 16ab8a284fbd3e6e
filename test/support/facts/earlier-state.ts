import { unwrap, wrap } from "../../../src/segment/envelope.ts";
import { VarintReader, VarintWriter } from "../../../src/projection/job-state/varint.ts";

/** A state as a release before codec 3 wrote it. */
export function earlierState(bytes: Uint8Array): Uint8Array {
  const reader = new VarintReader(bytes);
  const writer = new VarintWriter().unsigned(reader.unsigned()).signed(reader.signed()).block(reader.block());
  const facts = unwrap(reader.block());
  if (facts.outcome === "rejected") throw new Error(facts.reason);
  return Buffer.concat([writer.block(wrap(facts.text, 2).bytes).finish(), reader.rest()]);
}
