import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  comparedOfRoute,
  linkTo,
  linkToComparison,
  linkToJob,
  linkToPod,
  parseRoute,
  formatRoute,
  podOfRoute,
} from "../../../web/shell/route.ts";

const job = { cluster: "east", namespace: "batch", name: "a/b ?#%", uid: "u-1" };

describe("a route of the page", () => {
  it("is parsed back from its own text", () => {
    const words = fc.array(fc.string({ unit: "grapheme", minLength: 1 }), { minLength: 3, maxLength: 3 });
    const parameters = fc.dictionary(fc.string({ minLength: 1 }), fc.string());
    fc.assert(
      fc.property(words, parameters, (path, given) => {
        const route = { view: "job", path, parameters: { ...given } } as const;
        expect(parseRoute(formatRoute(route))).toEqual(route);
      }),
    );
  });

  it.each(["", "#", "#/", "#/nowhere", "#/job/only/two", "#/compare/a/b/job", "#/pod/a/b/c", "#main"])(
    "is the landing view if %j is invalid",
    (hash) => {
      expect(parseRoute(hash)).toEqual({ view: "attention", path: [], parameters: {} });
    },
  );

  it("keeps text that is not valid percent-encoding", () => {
    expect(parseRoute("#/job/a/b/100%").path).toEqual(["a", "b", "100%"]);
  });
});

describe("a link", () => {
  it("omits empty parameters", () => {
    expect(linkTo("jobs", [], { state: "Failed", cluster: undefined, q: "" })).toBe("#/jobs?state=Failed");
  });

  it("to a Pod names its Job, and its own uid", () => {
    const pod = { cluster: "east", namespace: "batch", job: "a/b ?#%", jobUid: "u-1", uid: "p-1" };
    expect(podOfRoute(parseRoute(linkToPod(pod)))).toEqual(pod);
  });

  it("to a Job contains its name and uid", () => {
    expect(parseRoute(linkToJob(job))).toEqual({
      view: "job",
      path: ["east", "batch", "a/b ?#%"],
      parameters: { uid: "u-1" },
    });
  });

  it("to a comparison contains both runs", () => {
    const compared = { cluster: "east", namespace: "ml", kind: "JobSet", name: "train", uid: "u-1", other: "u-2" };
    const link = linkToComparison(compared);
    expect(link).toBe("#/compare/east/ml/jobset/train?uid=u-1&with=u-2");
    expect(comparedOfRoute(parseRoute(link))).toEqual({ ...compared, kind: "jobset" });
  });
});
