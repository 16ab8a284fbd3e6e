import { EARLIEST, HOUR_MILLIS, hourOf, type Instant, LATEST } from "../../job/model/instant.ts";

/** The whole hours strictly between two instants, which are exclusive. */
export function wholeHours(
  createdAfter: Instant | undefined,
  createdBefore: Instant | undefined,
): { readonly from: Instant; readonly to: Instant } {
  return {
    from: createdAfter === undefined ? EARLIEST : hourOf(createdAfter + HOUR_MILLIS),
    to: createdBefore === undefined ? hourOf(LATEST) : hourOf(createdBefore),
  };
}
