import { describe, expect, it } from "vitest";
import { findingLines, placeOf, subjectText } from "../../../src/notify/receivers/message-texts.ts";
import { notificationExample } from "../../support/notify/notification-example.ts";

const matched = true as const;

describe("the place of a message", () => {
  it("is the path of the object; a cluster has no namespace", () => {
    expect(placeOf(notificationExample())).toBe("prod-eu/payments/charge-1");
    const subject = { kind: "Cluster", cluster: "prod-eu", namespace: "", name: "prod-eu", uid: "prod-eu" };
    expect(subjectText(notificationExample({ subject }))).toBe("Cluster prod-eu");
  });
});

describe("the findings of a message", () => {
  it("are described if the rule matches because of them, and only named otherwise", () => {
    const findings = [
      { kind: "LimitReached", message: "The limit ended the Job.", matched },
      { kind: "StatusBehind", message: "behind" },
      { kind: "StatusBehind", message: "still behind" },
      { kind: "NodeUnreachable", message: "unreachable" },
    ];
    expect(findingLines(notificationExample({ findings }))).toEqual([
      "LimitReached: The limit ended the Job.",
      "Other findings: StatusBehind and NodeUnreachable.",
    ]);
  });

  it("do not repeat clauses of the headline, or of an earlier finding", () => {
    const headline = "Failed: 0 of 2 succeeded; the same work ran twice.";
    const findings = [
      { kind: "DuplicateExecution", message: "The same work ran twice; p2 ran after p1.", matched },
      { kind: "CompletionLost", message: "p2 ran after p1; a success was lost.", matched },
      { kind: "LimitReached", message: "0 of 2 succeeded.", matched },
    ];
    expect(findingLines(notificationExample({ headline, findings }))).toEqual([
      "DuplicateExecution: p2 ran after p1.",
      "CompletionLost: a success was lost.",
    ]);
  });

  it("are at most five in words, and six kinds", () => {
    const findings = Array.from({ length: 14 }, (_, index) => ({ kind: `K${index}`, message: `m${index}.`, matched }));
    const lines = findingLines(notificationExample({ findings, findingsBeyond: 2 }));
    expect(lines).toHaveLength(6);
    expect(lines.at(-1)).toBe("Other findings: K5, K6, K7, K8, K9 and 6 more.");
  });
});
