import { describe, expect, it } from "vitest";
import { jobNameOf } from "../../cli/options/job-argument.ts";
import { isLoopback, parseListen } from "../../src/server/listen.ts";
import { parseTimeSpan } from "../../cli/options/time-span.ts";

describe("a Job's name on the command line", () => {
  it.each(["report", "job/report", "jobs/report", "job.batch/report", "Job/report"])("is read from %s", (argument) => {
    expect(jobNameOf(argument)).toBe("report");
  });

  it.each(["", "job/", "pod/report", "a/b/c", ".", "job/.."])("is refused in %j", (argument) => {
    expect(() => jobNameOf(argument)).toThrow(/NAME or job\//);
  });
});

describe("a time span on the command line", () => {
  it.each([
    ["0", 0],
    ["90s", 90_000],
    ["1h30m", 5_400_000],
    ["1.5s", 1_500],
    ["250ms", 250],
    ["2d", 172_800_000],
  ])("%s is %i ms", (text, milliseconds) => {
    expect(parseTimeSpan(text)).toBe(milliseconds);
  });

  it.each(["", "5", "five", "5x", "-5s", "5 s"])("%j is refused with an example", (text) => {
    expect(() => parseTimeSpan(text)).toThrow(/90s, 5m or 1h30m/);
  });
});

describe("an address to listen on", () => {
  it.each([
    ["8080", "127.0.0.1", 8080, true],
    [":0", "127.0.0.1", 0, true],
    ["localhost:1", "localhost", 1, true],
    ["127.0.0.2:80", "127.0.0.2", 80, true],
    ["[::1]:80", "::1", 80, true],
    ["0.0.0.0:80", "0.0.0.0", 80, false],
    ["[::]:80", "::", 80, false],
    ["outlive.example.org:443", "outlive.example.org", 443, false],
    ["127.0.0.1.example.org:80", "127.0.0.1.example.org", 80, false],
  ])("%s is host %s, port %i", (text, host, port, loopback) => {
    expect(parseListen(text)).toEqual({ host, port });
    expect(isLoopback(parseListen(text))).toBe(loopback);
  });

  it.each(["", "host", "host:", "host:99999", "a:b:1"])("%j is refused with an example", (text) => {
    expect(() => parseListen(text)).toThrow(/HOST:PORT/);
  });
});
