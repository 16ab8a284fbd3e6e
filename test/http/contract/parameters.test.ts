import * as v from "valibot";
import { describe, expect, it } from "vitest";
import type { Parameter } from "../../../src/http/contract/parameter.ts";
import {
  clusterParameter,
  flagParameter,
  goalParameter,
  groupingParameter,
  jobNamesParameter,
  labelSelectorParameter,
  limitParameter,
  secondsParameter,
  sortParameter,
  statesParameter,
  textParameter,
  timeParameter,
  timeZoneParameter,
  uidsParameter,
  waitSecondsParameter,
} from "../../../src/http/contract/parameters.ts";

const time = timeParameter("When.");
const text = textParameter("A text.", 5);
const seconds = secondsParameter("How long.");
const wait = waitSecondsParameter(25, 10);
const limit = limitParameter(500, 100);

describe("the text of a parameter", () => {
  it.each<[string, Parameter<unknown>, string, unknown]>([
    ["a cluster", clusterParameter, "east-1", "east-1"],
    ["states, in any case and each once", statesParameter, "failed, COMPLETE,failed", ["Failed", "Complete"]],
    ["a flag", flagParameter("Whether."), "false", false],
    ["a text", text, "abcde", "abcde"],
    ["seconds", seconds, "315360000", 315_360_000],
    ["seconds to wait, which may be none", wait, "0", 0],
    ["a limit", limit, "500", 500],
    ["a goal", goalParameter, "failed", "failed"],
    ["a grouping", groupingParameter, "owner", "owner"],
    ["a time zone", timeZoneParameter, "Europe/Berlin", "Europe/Berlin"],
    ["a time whose + arrived as a space", time, "2026-01-01T01:00:00 01:00", Date.parse("2026-01-01T00:00:00Z")],
    ["a duration", time, "2h", { millisAgo: 7_200_000 }],
    [
      "uids",
      uidsParameter,
      "a,, b",
      [
        { by: "uid", uid: "a" },
        { by: "uid", uid: "b" },
      ],
    ],
    ["names of Jobs", jobNamesParameter, "web/report", [{ by: "name", namespace: "web", name: "report" }]],
  ])("is %s", (_, parameter, given, value) => {
    expect(v.parse(parameter, given)).toEqual(value);
  });

  it.each<[string, Parameter<unknown>, string, RegExp]>([
    ["a cluster with a slash", clusterParameter, "east/west", /^must be the name of a cluster/],
    ["an unknown state", statesParameter, "Complete,faild", /^"faild" is not a state \(did you mean Failed\?\)/],
    ["a long word", statesParameter, "x".repeat(200), /^"x{100}\.\.\." is not a state:/],
    ["another flag", flagParameter("Whether."), "yes", /^must be true or false$/],
    ["an empty text", text, "", /^must have 1 to 5 characters$/],
    ["a text that is too long", text, "abcdef", /^must have 1 to 5 characters$/],
    ["no seconds", seconds, "0", /^must be a whole number of seconds from 1/],
    ["more than ten years", seconds, "315360001", /to 315360000$/],
    ["a wait that is too long", wait, "26", /^must be a whole number of seconds from 0 to 25$/],
    ["a fraction", limit, "1.5", /^must be a whole number from 1 to 500$/],
    ["a limit that is too large", limit, "501", /^must be a whole number from 1 to 500$/],
    ["another goal", goalParameter, "done", /^must be one of complete, failed, finished$/],
    ["another grouping", groupingParameter, "label", /^must be one of /],
    ["another order", sortParameter, "color", /^must be one of /],
    ["another time zone", timeZoneParameter, "Mars/Base", /IANA/],
    ["a name without a namespace", jobNamesParameter, "web/a,report", /^"report" is not namespace\/name$/],
    ["a selector that is too long", labelSelectorParameter, "a".repeat(4_097), /^must not be longer than 4096/],
    ["a selector with an error", labelSelectorParameter, "app in", /app in/],
  ])("is refused: %s", (_, parameter, given, problem) => {
    const parsed = v.safeParse(parameter, given);
    expect(parsed.issues?.map(({ message }) => message).join()).toMatch(problem);
  });
});
