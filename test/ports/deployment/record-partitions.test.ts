import { describe, expect, it } from "vitest";
import { metaPartitions } from "../../../src/adapters/dynamodb/meta-partition.ts";
import { partitionPattern } from "../../../src/ports/deployment/record-partitions.ts";
import { RECORD_KEYS } from "../../support/aws/record-keys.ts";

describe("the pattern of a kind of records", () => {
  it.each(RECORD_KEYS)("matches the partitions in which they are stored, and no other: %s", (kind, key) => {
    const { current } = metaPartitions(kind, key);
    const pattern = partitionPattern(kind);
    expect(pattern.endsWith("#*") ? current.startsWith(pattern.slice(0, -1)) : current === pattern).toBe(true);
    const others = RECORD_KEYS.filter(([other]) => other !== kind).map(([other]) => partitionPattern(other));
    expect(others).not.toContain(pattern);
  });
});
