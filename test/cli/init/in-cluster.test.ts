import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { CLUSTER_QUESTIONS, planCluster } from "../../../cli/init/in-cluster.ts";
import { collectAnswers } from "../../../cli/init/question.ts";
import { chartProblems } from "../../support/charts.ts";

async function planOf(given: Readonly<Record<string, string>>) {
  const place = { folder: "my files", charts: "deploy/charts" };
  const { files, commands } = planCluster(await collectAnswers(CLUSTER_QUESTIONS, given), place);
  const [file] = files;
  return { values: parse(file?.text ?? "") as unknown, commands };
}

const IMAGE = { image: "registry.example.org/outlive" };

describe("the values of chart outlive", () => {
  it("name the image and the cluster, and leave the rest to the chart", async () => {
    const { values } = await planOf(IMAGE);
    expect(values).toEqual({ cluster: "kubernetes", image: { repository: "registry.example.org/outlive" } });
    expect(chartProblems("outlive", values)).toEqual([]);
  });

  it("have every answer, and the chart accepts them", async () => {
    const access = { issuer: "https://login.example.org", audience: "outlive", host: "jobs.example.org" };
    const { values } = await planOf({ ...IMAGE, ...access, cluster: "prod-eu", retention: "36h" });
    expect(values).toEqual({
      cluster: "prod-eu",
      image: { repository: "registry.example.org/outlive" },
      oidc: { issuer: "https://login.example.org", audiences: ["outlive"] },
      ingress: { enabled: true, host: "jobs.example.org" },
      retention: "36h",
    });
    expect(chartProblems("outlive", values)).toEqual([]);
  });

  it.each(["registry.example.org:5000/team/outlive", "localhost:5000/outlive", "outlive"])(
    "name the image %s, which the chart accepts",
    async (image) => {
      const { values } = await planOf({ image });
      expect(values).toMatchObject({ image: { repository: image } });
      expect(chartProblems("outlive", values)).toEqual([]);
    },
  );

  it("keep a number of days as text, which the chart wants", async () => {
    const { values } = await planOf({ ...IMAGE, retention: "30" });
    expect(values).toMatchObject({ retention: "30" });
    expect(chartProblems("outlive", values)).toEqual([]);
  });

  it("are followed by three commands, with paths in quotes", async () => {
    const { commands } = await planOf(IMAGE);
    expect(commands).toHaveLength(3);
    expect(commands[0]).toContain("deploy/charts/outlive -n outlive --create-namespace -f 'my files/values.yaml'");
  });

  it.each([
    [{}, "Set --image"],
    [{ image: "registry.example.org/outlive@sha256:0" }, "--image is invalid: write REGISTRY/NAME"],
    [{ image: "registry.example.org/outlive:1.0" }, "--image is invalid: write REGISTRY/NAME, without tag"],
    [{ image: "outlive:1.0" }, "--image is invalid: write REGISTRY/NAME, without tag"],
    [{ image: "registry.example.org/" }, "--image is invalid: write REGISTRY/NAME, without tag"],
    [{ ...IMAGE, cluster: "outlive-doctor" }, '--cluster is invalid: "outlive-doctor" is reserved'],
    [{ ...IMAGE, issuer: "http://login.example.org" }, "--issuer is invalid: write an address with https://"],
    [{ ...IMAGE, issuer: "https://login.example.org" }, "Set --audience"],
    [{ ...IMAGE, audience: "outlive" }, "--audience does not apply"],
    [{ ...IMAGE, host: "https://jobs" }, "--host is invalid: write a host name"],
  ])("are not written for %j", async (given, message) => {
    await expect(planOf(given)).rejects.toThrow(message);
  });
});
