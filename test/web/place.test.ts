import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { linkTo, linkToJob, placeOf, textOfPlace } from "../../web/shell/place.ts";

const job = { cluster: "east", namespace: "batch", name: "a/b ?#%", uid: "u-1" };

describe("a place of the page", () => {
  it("is read back from its own text, whatever its parts hold", () => {
    const words = fc.array(fc.string({ unit: "grapheme", minLength: 1 }), { minLength: 3, maxLength: 3 });
    const parameters = fc.dictionary(fc.string({ minLength: 1 }), fc.string());
    fc.assert(
      fc.property(words, parameters, (path, given) => {
        const place = { view: "job", path, parameters: { ...given } } as const;
        expect(placeOf(textOfPlace(place))).toEqual(place);
      }),
    );
  });

  it.each(["", "#", "#/", "#/nowhere", "#/job/only/two", "#main"])(
    "is the list of Jobs where %j names none",
    (hash) => {
      expect(placeOf(hash)).toEqual({ view: "jobs", path: [], parameters: {} });
    },
  );

  it("takes text that is not well encoded for itself", () => {
    expect(placeOf("#/job/a/b/100%").path).toEqual(["a", "b", "100%"]);
  });
});

describe("a link", () => {
  it("leaves out parameters that say nothing", () => {
    expect(linkTo("jobs", [], { state: "Failed", cluster: undefined, q: "" })).toBe("#/jobs?state=Failed");
  });

  it("to a Job leads to that Job", () => {
    expect(placeOf(linkToJob(job))).toEqual({
      view: "job",
      path: ["east", "batch", "a/b ?#%"],
      parameters: { uid: "u-1" },
    });
  });
});
