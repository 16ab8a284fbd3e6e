import { describe, expect, it } from "vitest";
import { decodeReader, decodeSender } from "../../../src/ports/registrations/registration-codec.ts";

describe("the parameter of a sender", () => {
  it("names its cluster, and for display its ARN", () => {
    expect(decodeSender('{"cluster":"east","arn":"arn:aws:iam::1:role/x"}')).toEqual({
      cluster: "east",
      arn: "arn:aws:iam::1:role/x",
    });
    expect(decodeSender('{"cluster":"east"}')).toEqual({ cluster: "east" });
  });

  it.each(["", "east", "{}", '{"cluster":1}', "null", '["east"]'])("registers nobody if it is %j", (text) => {
    expect(decodeSender(text)).toBeUndefined();
  });
});

describe("the parameter of a reader", () => {
  it("has its grants", () => {
    expect(decodeReader('{"grants":["*"]}')).toEqual({ grants: ["*"] });
  });

  it.each(["", "*", "{}", '{"grants":"*"}', '{"grants":[1]}'])("grants nothing if it is %j", (text) => {
    expect(decodeReader(text)).toBeUndefined();
  });
});
