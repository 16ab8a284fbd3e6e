import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Fact } from "../../src/job/model/fact.ts";
import { fillTemplate, type Hole, isStandardUid, writeTemplate } from "../../src/segment/template.ts";
import { arbitraryFact } from "../support/facts/arbitrary-facts.ts";

const UID = "1c0a8c70-6c5b-4a52-9a0e-000000000001";

/** The template of any fields as if they were those of a fact, and the values that were taken out. */
function split(fields: Readonly<Record<string, unknown>>) {
  const taken: (readonly [Hole, string, string | number])[] = [];
  const template = writeTemplate(fields as unknown as Fact, (...value) => taken.push(value));
  return { template, taken };
}

describe("the template of a fact", () => {
  it.each<[string, Readonly<Record<string, unknown>>, string, readonly (readonly [Hole, string, string | number])[]]>([
    ["an instant", { startTime: 5 }, '{"startTime":null}', [["instant", "startTime", 5]]],
    ["an instant that is a text", { startTime: "5" }, '{"startTime":"5"}', []],
    ["an instant that is a fraction", { startTime: 0.5 }, '{"startTime":0.5}', []],
    ["a word", { namespace: "batch" }, '{"namespace":null}', [["word", "namespace", "batch"]]],
    ["a word that is a number", { node: 7 }, '{"node":7}', []],
    ["a text", { name: "render" }, '{"name":null}', [["text", "name", "render"]]],
    ["a number", { count: 3 }, '{"count":null}', [["number", "count", 3]]],
    ["a uid in any field", { owner: UID }, '{"owner":null}', [["uid", "owner", UID]]],
    ["another text in any field", { owner: "someone" }, '{"owner":"someone"}', []],
    [
      "the message of an Event",
      { kind: "EventHinted", message: "m" },
      '{"kind":"EventHinted","message":null}',
      [["text", "message", "m"]],
    ],
    ["another message", { kind: "PodObserved", message: "m" }, '{"kind":"PodObserved","message":"m"}', []],
    ["a value within a list and a record", { a: [{ count: 1 }] }, '{"a":[{"count":null}]}', [["number", "count", 1]]],
    [
      "values in the order of their sorted fields",
      { name: "b", count: 1 },
      '{"count":null,"name":null}',
      [
        ["number", "count", 1],
        ["text", "name", "b"],
      ],
    ],
    ["fields that are undefined", { a: undefined, b: true }, '{"b":true}', []],
    ["fields that are written elsewhere", { epoch: 1, resourceVersion: 2, at: 3, jobUid: UID, podUid: UID }, "{}", []],
    ["the same names within a record", { a: { at: 3 } }, '{"a":{"at":3}}', []],
    ["fields in the order of texts, not of numbers", { "10": true, "9": true }, '{"10":true,"9":true}', []],
  ])("leaves out %s as it should be", (_, fields, template, taken) => {
    expect(split(fields)).toEqual({ template, taken });
  });

  // A decoder of another release fills a hole by the name of its field: no field may ever change its kind.
  it.each<[Hole, readonly string[], string | number]>([
    [
      "instant",
      [
        "completionTime",
        "createdAt",
        "disruptedAt",
        "finishedAt",
        "firstAt",
        "from",
        "lastAt",
        "lastScheduledAt",
        "lastSuccessfulAt",
        "lastTransitionAt",
        "requestedAt",
        "scheduledAt",
        "since",
        "startTime",
        "startedAt",
        "to",
        "unreadySince",
      ],
      5,
    ],
    ["word", ["namespace", "node", "serverVersion", "user", "userAgent"], "w"],
    ["text", ["completedIndexes", "failedIndexes", "gapId", "hintId", "name", "succeededIndexes"], "0-4"],
    ["number", ["count", "index"], 3],
  ])("has a hole of kind %s for the same fields in every release: %j", (hole, fields, value) => {
    for (const field of fields) {
      expect(split({ [field]: value })).toEqual({ template: `{"${field}":null}`, taken: [[hole, field, value]] });
    }
  });

  it("is filled to the fact that was split", () => {
    fc.assert(
      fc.property(arbitraryFact, (fact) => {
        const { template, taken } = split({ ...fact });
        const values = [...taken];
        const filled = fillTemplate(JSON.parse(template) as Readonly<Record<string, unknown>>, (hole, key) => {
          const [value] = values.splice(0, 1);
          expect(value?.slice(0, 2)).toEqual([hole, key]);
          return value?.[2] ?? "";
        });
        const { epoch: _epoch, resourceVersion: _version, at: _at, ...own } = fact;
        const { jobUid: _job, podUid: _pod, ...inside } = { jobUid: "", podUid: "", ...own };
        expect(filled).toEqual(inside);
        expect(values).toEqual([]);
      }),
    );
  });

  it("keeps a label that is named __proto__", () => {
    const { template } = split({ labels: JSON.parse('{"__proto__":"x","a":"b"}') as unknown });
    const filled = fillTemplate(JSON.parse(template) as Readonly<Record<string, unknown>>, () => "");
    expect(JSON.stringify(filled)).toBe('{"labels":{"__proto__":"x","a":"b"}}');
    expect(Object.getPrototypeOf(filled["labels"])).toBe(Object.prototype);
  });

  it("quotes any number of different names", () => {
    for (let label = 0; label < 600; label += 1) {
      expect(split({ labels: { [`l"${label}`]: "x" } }).template).toBe(`{"labels":{"l\\"${label}":"x"}}`);
    }
  });
});

describe("a uid in the standard form", () => {
  it.each([
    [UID, true],
    [UID.toUpperCase(), false],
    [`${UID}0`, false],
    [UID.slice(1), false],
    [UID.replaceAll("-", "0"), false],
    [UID.replace("1", "g"), false],
    ["", false],
  ])("%s: %s", (text, isStandard) => {
    expect(isStandardUid(text)).toBe(isStandard);
  });
});
