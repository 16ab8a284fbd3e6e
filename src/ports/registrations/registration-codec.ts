import * as v from "valibot";
import type { ReaderRegistration, SenderRegistration } from "./registrations.ts";

const SENDER = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({ cluster: v.string(), arn: v.exactOptional(v.string()) }),
);
const READER = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({ grants: v.array(v.string()), arn: v.exactOptional(v.string()) }),
);

/** `undefined` where someone wrote something else into the parameter: it registers nobody. */
export function decodeSender(value: string): SenderRegistration | undefined {
  const parsed = v.safeParse(SENDER, value);
  return parsed.success ? parsed.output : undefined;
}

/** `undefined` where someone wrote something else into the parameter: it grants nothing. */
export function decodeReader(value: string): ReaderRegistration | undefined {
  const parsed = v.safeParse(READER, value);
  return parsed.success ? parsed.output : undefined;
}
