import { beforeAll, describe, expect, it } from "vitest";
import { collectEvidence } from "../../../src/archive/evidence/collect-evidence.ts";
import {
  decodeEvidence,
  encodeEvidence,
  type EvidenceFile,
  type ProvenFact,
} from "../../../src/archive/evidence/evidence-file.ts";
import { verifyEvidence } from "../../../src/archive/evidence/verify-evidence.ts";
import { factLeaf } from "../../../src/archive/layout/segment-file.ts";
import { ArchiveScene, EIGHT, endedJob, HOUR, jobDeleted, MINUTE } from "../../support/archive/archive-scene.ts";

let exported: string;
beforeAll(async () => {
  const scene = new ArchiveScene();
  const story = { name: "report", createdAt: EIGHT, succeeds: false };
  await scene.tracker.tell([...endedJob(story), ...endedJob({ name: "x", createdAt: EIGHT })], EIGHT + 5 * MINUTE);
  await scene.tracker.tell([jobDeleted(story, EIGHT + HOUR)], EIGHT + HOUR);
  await scene.archive(EIGHT + 4 * HOUR);
  const wanted = { cluster: scene.cluster, namespace: "shop", name: "report" };
  const { store: archive, tracker } = scene;
  const found = await collectEvidence({ ports: tracker.ports, archive }, { scope: "everything", wanted }, EIGHT);
  if (found.outcome !== "collected") throw new Error(found.outcome);
  exported = encodeEvidence(found.evidence);
});

/** The file, of which a text was replaced, as a person would change it. */
function evidence(from = "", to = ""): EvidenceFile {
  const changed = exported.replace(from, to);
  if (from !== "" && changed === exported) throw new Error(`The evidence does not have ${from}.`);
  const decoded = decodeEvidence(changed);
  if (decoded.outcome === "rejected") throw new Error(decoded.reason);
  return decoded.evidence;
}

async function problems(file: EvidenceFile, head?: string): Promise<readonly string[]> {
  const found = await verifyEvidence(file, { ...(head !== undefined && { head }) });
  return found.problems.map(({ problem, key }) => `${problem} ${key}`);
}

/** Another fact with a hash of its own, as a forger would add it. */
function forgedFrom(genuine: ProvenFact): ProvenFact {
  const fact = { ...genuine.fact, at: genuine.fact.at + 1 };
  return { ...genuine, fact, leaf: factLeaf(genuine.segment, fact).toString("hex") };
}

describe("unchanged evidence", () => {
  it("has no problems", async () => {
    expect(await problems(evidence())).toEqual([]);
  });

  it("contains a head that was noted, and no other", async () => {
    const { head } = evidence();
    expect(await problems(evidence(), head)).toEqual([]);
    expect(await problems(evidence(), "0".repeat(64))).toEqual(["missing manifests"]);
  });
});

describe("a change of the evidence", () => {
  it("of a fact is found, and the fact is named", async () => {
    const changed = await problems(evidence('"exitCode":1,"finishedAt":1', '"exitCode":0,"finishedAt":1'));
    expect(changed).toHaveLength(1);
    expect(changed[0]).toMatch(/^changed segments\/dt=2026-11-21\/hour=08\/\S+ fact \d+ \(ContainerEnded\)$/);
  });

  it("of the hash of a segment is found", async () => {
    const { segment = "" } = evidence().files[0]?.facts[0] ?? {};
    expect(await problems(evidence(`"segment":"${segment}"`, `"segment":"${"0".repeat(64)}"`))).not.toEqual([]);
  });

  it("that removes a fact is found, and the segment file is named", async () => {
    const file = evidence();
    const [first, ...others] = file.files;
    if (first === undefined) throw new Error("The evidence has facts.");
    const removed = { ...file, files: [{ ...first, facts: first.facts.slice(1) }, ...others] };
    expect(await problems(removed)).toEqual([`changed ${first.key}`]);
  });

  it("that adds a segment file is found", async () => {
    const file = evidence();
    const [first] = file.files;
    if (first === undefined) throw new Error("The evidence has facts.");
    expect(await problems({ ...file, files: [{ ...first, key: "segments/forged.seg" }] })).toEqual([
      "invalid segments/forged.seg",
    ]);
  });

  it("that adds a forged fact at the place of another one is found", async () => {
    const file = evidence();
    const [first, ...others] = file.files;
    const [genuine] = first?.facts ?? [];
    if (first === undefined || genuine === undefined) throw new Error("The evidence has facts.");
    const forged = forgedFrom(genuine);
    const added = { ...file, files: [{ ...first, facts: [forged, ...first.facts] }, ...others] };
    expect(await problems(added)).toEqual([`changed ${first.key} fact ${genuine.index} (${genuine.fact.kind})`]);
  });

  it("that adds a forged fact after the end of a segment file is found", async () => {
    const file = evidence();
    const [first, ...others] = file.files;
    const [genuine] = first?.facts ?? [];
    if (first === undefined || genuine === undefined) throw new Error("The evidence has facts.");
    const forged = { ...forgedFrom(genuine), index: first.size };
    const added = { ...file, files: [{ ...first, facts: [...first.facts, forged] }, ...others] };
    expect(await problems(added)).toEqual([`changed ${first.key}`]);
  });

  it("that presents facts of one cluster as those of another one is found", async () => {
    const file = evidence();
    const found = await problems({ ...file, cluster: "other" });
    expect(found).toEqual(file.files.map(({ key }) => `foreign ${key}`));
  });

  it("of a manifest is found, and the manifest is named", async () => {
    const file = evidence();
    const [first, ...others] = file.manifests;
    if (first === undefined) throw new Error("The evidence has manifests.");
    const text = first.text.replace('"jobs":2', '"jobs":3');
    expect(await problems({ ...file, manifests: [{ ...first, text }, ...others] })).toEqual([`changed ${first.key}`]);
  });

  it("of the last manifest is found by the head", async () => {
    const file = evidence();
    const last = file.manifests.at(-1);
    if (last === undefined) throw new Error("The evidence has manifests.");
    const changed = { ...last, text: last.text.replace('"jobs":0', '"jobs":1') };
    expect(await problems({ ...file, manifests: [...file.manifests.slice(0, -1), changed] })).toEqual([
      `changed ${last.key}`,
    ]);
  });

  it("that removes a manifest is found", async () => {
    const file = evidence();
    const [first, , ...others] = file.manifests;
    if (first === undefined) throw new Error("The evidence has manifests.");
    const found = await problems({ ...file, manifests: [first, ...others] });
    expect(found).toContain(`broken chain ${others[0]?.key ?? ""}`);
  });

  it("that puts the manifest of another archive in it is found", async () => {
    expect(await problems({ ...evidence(), archive: "other" })).toContain(
      `foreign ${evidence().manifests[0]?.key ?? ""}`,
    );
  });

  it.each([
    ["answer", (file: EvidenceFile) => ({ ...file, answer: { ...file.answer, tracking: "unknown" as const } })],
    ["why", (file: EvidenceFile) => ({ ...file, why: { ...file.why, answer: "Complete." } })],
  ])("of the %s is found, because it follows from the facts", async (part, change) => {
    expect(await problems(change(evidence()))).toEqual([`changed ${part}`]);
  });
});
