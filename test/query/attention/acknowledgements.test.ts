import { describe, expect, it } from "vitest";
import { partOfJob } from "../../../src/query/attention/attention-groups.ts";
import { groupEntries } from "../../../src/query/attention/group-entries.ts";
import { withAcknowledgement } from "../../../src/query/attention/acknowledgements.ts";
import { listedJob } from "../../support/story/listed-job.ts";

describe("an entry", () => {
  const part = partOfJob(listedJob(), { isOver: true, now: 0 });
  const [entry] = groupEntries({ ...part, parts: [part] });
  if (entry === undefined) throw new Error("There is an entry.");
  const acknowledged = { by: "token 1", note: "Known.", at: "2026-01-01T00:00:00Z", until: "2026-01-02T00:00:00Z" };

  it("is marked by an acknowledgement of its cluster, namespace and id only", () => {
    const key = `east#batch#${entry.id}`;
    expect(withAcknowledgement(entry, new Map([[key, acknowledged]]))).toEqual({ ...entry, acknowledged });
    const others = new Map([
      [`west#batch#${entry.id}`, acknowledged],
      [`east#other#${entry.id}`, acknowledged],
    ]);
    expect(withAcknowledgement(entry, others)).toBe(entry);
  });
});
