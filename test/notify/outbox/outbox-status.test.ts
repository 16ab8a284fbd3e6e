import { describe, expect, it } from "vitest";
import { outboxStatus } from "../../../src/notify/outbox/outbox-status.ts";
import { failingJob } from "../../support/notify/failing-job.ts";
import { HOOK, rulesOf } from "../../support/notify/notified-tracker.ts";
import { NotifiedStage } from "../../support/notify/notified-stage.ts";
import { ruleOf } from "../../support/story/notified.ts";

describe("the status of receivers", () => {
  it("sums the messages of all subjects, and names the dead ones", async () => {
    const stage = new NotifiedStage();
    const other = { ...HOOK, name: "a-pager" };
    stage.rules = rulesOf([ruleOf({ to: ["hook", "a-pager"] })], { receivers: [HOOK, other] });
    for (const name of ["charge", "refund"]) await stage.receiveAll(failingJob(name));
    await stage.notify();
    expect(await outboxStatus(stage.meta, 10)).toMatchObject({ receivers: [{ waiting: 2 }, { waiting: 2 }], dead: [] });
    await stage.deliver(["east#Job#charge"]);
    stage.answer = () => ({ outcome: "rejected", status: 400, problem: "status 400" });
    await stage.deliver(["east#Job#refund"]);
    stage.answer = () => ({ outcome: "unreachable", problem: "down" });
    await stage.deliver(["east#Job#charge"], { receiver: other });
    const { now } = stage;
    expect(await outboxStatus(stage.meta, 10)).toEqual({
      receivers: [
        {
          receiver: "a-pager",
          waiting: 2,
          delivered: 0,
          dead: 0,
          suppressed: 0,
          failingSince: now,
          lastProblem: "down",
        },
        {
          receiver: "hook",
          waiting: 0,
          delivered: 1,
          dead: 1,
          suppressed: 0,
          lastDeliveredAt: now,
          lastProblem: "status 400",
        },
      ],
      dead: [{ key: "refund/1/failures/hook", receiver: "hook", at: now, problem: "status 400" }],
    });
    expect((await outboxStatus(stage.meta, 0)).dead).toEqual([]);
  });
});
