import { describe, expect, it } from "vitest";
import { openOtlp } from "../../../src/notify/receivers/otlp.ts";
import { PLACEHOLDER } from "../../../src/notify/receivers/secret.ts";
import { notificationExample } from "../../support/notify/notification-example.ts";

type Settings = Parameters<typeof openOtlp>[0];

function composed(settings: Settings, environment: Readonly<Record<string, string>> = {}) {
  const opened = openOtlp(settings, { environment, allowAddresses: ["10.0.0.0/8"] });
  if ("problem" in opened) return opened;
  return opened.compose([notificationExample()], 0);
}

describe("a receiver of traces", () => {
  it("gets the run, whose spans are read when it is sent", () => {
    const { subject, link } = notificationExample();
    expect(composed({ url: "http://collector:4318" })).toEqual({
      title: "trace: Job payments/charge-1, Failed",
      message: {
        kind: "trace",
        url: "http://collector:4318/v1/traces",
        headers: { "content-type": "application/json" },
        allowAddresses: ["10.0.0.0/8"],
        run: subject,
        link,
        body: JSON.stringify({ run: subject, link }),
      },
    });
  });

  it.each([
    ["https://otlp.example.org/otlp/", "https://otlp.example.org/otlp/v1/traces"],
    ["https://otlp.example.org/otlp?tenant=a", "https://otlp.example.org/otlp/v1/traces?tenant=a"],
    ["http://jaeger:4318/v1/traces", "http://jaeger:4318/v1/traces"],
  ])("at %s has the address %s", (url, expected) => {
    expect(composed({ url })).toMatchObject({ message: { url: expected } });
    expect(composed({ urlEnv: "URL" }, { URL: url })).toMatchObject({ message: { url: expected } });
  });

  it.each([
    ["authorization=Basic%20abc%3D", { authorization: "Basic abc=" }],
    [" X-Scope-OrgID = team-a , api-key=50%off=1", { "x-scope-orgid": "team-a", "api-key": "50%off=1" }],
    ["api-key=%FF%20x", { "api-key": "%FF%20x" }],
  ])("gets the headers of a variable: %s", (HEADERS, expected) => {
    const settings = { url: "http://c:4318", headersEnv: "HEADERS" };
    expect(composed(settings, { HEADERS })).toMatchObject({ message: { headers: expected } });
  });

  it.each(["no header", "bad name=x", "a=b%0Ac"])("refuses other headers, without their text: %s", (HEADERS) => {
    const problem = "The value of HEADERS is not a list of headers. Write key=value,key=value.";
    expect(composed({ url: "http://c:4318", headersEnv: "HEADERS" }, { HEADERS })).toEqual({
      at: "headersEnv",
      problem,
    });
  });

  it("has one address, and variables that are set", () => {
    expect(composed({})).toMatchObject({ problem: "Expected either url or urlEnv." });
    expect(composed({ url: "http://c", urlEnv: "URL" }, { URL: "http://c" })).toMatchObject({ at: "" });
    expect(composed({ url: "http://c", headersEnv: "H" })).toMatchObject({ problem: "The variable H is not set." });
  });

  it("can be checked where no secret is known", () => {
    const settings = { urlEnv: "URL", headersEnv: "H" };
    expect(composed(settings, { URL: PLACEHOLDER, H: PLACEHOLDER })).toMatchObject({ message: { kind: "trace" } });
  });
});
