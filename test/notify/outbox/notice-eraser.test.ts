import { beforeEach, describe, expect, it } from "vitest";
import { createNoticeEraser } from "../../../src/notify/outbox/notice-eraser.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { failingJob } from "../../support/notify/failing-job.ts";
import { HOOK, rulesOf } from "../../support/notify/notified-tracker.ts";
import { NotifiedStage } from "../../support/notify/notified-stage.ts";
import { ruleOf } from "../../support/story/notified.ts";

const east = clusterNamed("east");
const ALIAS = "east#erased#00000000";

let stage: NotifiedStage;
let removed: string[];
beforeEach(async () => {
  stage = new NotifiedStage();
  removed = [];
  stage.rules = rulesOf([ruleOf({ to: ["hook"] })], { receivers: [HOOK] });
  for (const name of ["charge", "refund"]) await stage.receiveAll(failingJob(name));
  await stage.notify();
  await stage.deliver(["east#Job#charge"]);
});

const eraser = () => createNoticeEraser({ meta: stage.meta, remove: async (key) => void removed.push(key) });

describe("the messages about an erased subject", () => {
  it("are found by their cluster", async () => {
    expect(await eraser().subjects(east)).toEqual(["east#Job#charge", "east#Job#refund"]);
    expect(await eraser().subjects(clusterNamed("eas"))).toEqual([]);
  });

  it("are removed, and their number stays, however often that is repeated", async () => {
    for (let time = 0; time < 2; time += 1) await eraser().erase("east#Job#charge", ALIAS);
    expect(removed).toEqual(["east#Job#charge", "east#Job#charge"]);
    const [alias, ...others] = (await stage.meta.list("notice", { prefix: `${ALIAS}#`, limit: 10 })).records;
    expect(others).toEqual([]);
    expect(alias?.value).not.toContain("charge");
    expect(JSON.parse(alias?.value ?? "{}")).toMatchObject({
      waiting: [],
      dead: [],
      tallies: { hook: { delivered: 1 } },
    });
  });

  it("need no record", async () => {
    await eraser().erase("east#Job#unknown", ALIAS);
    expect(removed).toEqual([]);
  });
});
