import { aboutJob, aboutRun, call, callAboutFirst, fact, get, getOfFirst, type Question } from "./question.ts";

const README = "examples/README.md, the table of the generated history";
const EU = "generated-eu";

/** About the history of clusters that do not exist (cli/demo/generated), which ends now. */
export const GENERATED_QUESTIONS: readonly Question[] = [
  {
    id: "out-of-memory",
    asked: "The last run of the CronJob score-fraud failed. Why, and what does the next run need?",
    cluster: EU,
    namespace: "risk",
    calls: [call("find_runs", { name: "score-fraud*", state: ["Failed"] }), callAboutFirst("why")],
    requests: [
      get(`/v1/jobs?owner=CronJob/score-fraud&state=Failed&limit=1&cluster=${EU}`),
      getOfFirst("jobs", "/why"),
    ],
    facts: [
      fact(
        "It was out of memory in all three attempts.",
        /OOMKilled: container work exceeded its memory limit \(512Mi\) in 3 of 3/,
      ),
      fact("It needs more memory.", /"retry":"more-memory"/),
    ],
    truth: `${README}: the last run exceeded its memory limit three times (cli/demo/generated/generated-eu.ts)`,
  },
  {
    id: "image-pull",
    asked: "migrate-catalog has been running for a while and does nothing. What is it waiting for?",
    cluster: EU,
    namespace: "shop",
    ...aboutJob("migrate-catalog", "why_not_running"),
    facts: [
      fact(
        "Its image cannot be pulled: it was not found.",
        /the image of container work cannot be pulled \(not found\)/,
      ),
      fact("Check its name, the registry, and the pull secrets.", /Check the image's name and tag/),
    ],
    truth: `${README}: an image that cannot be pulled now`,
  },
  {
    id: "missed-run",
    asked: "There was no nightly-report this morning. Did the CronJob run, and has it missed runs before?",
    cluster: EU,
    namespace: "finance",
    calls: [call("get_run", { target: "cronjob/nightly-report" })],
    requests: [
      get(`/v1/cronjobs?cluster=${EU}&namespace=finance`),
      get(`/v1/clusters/${EU}/namespaces/finance/cronjobs/nightly-report/runs`),
    ],
    facts: [
      fact("No run was created for the last due time.", /No run was created for the due time/),
      fact("It missed two.", /"missed":2/, /(?:"cause":"missed".*){2}/s),
      fact("Its runs take longer and longer.", /TrendSlower/),
    ],
    truth: `${README}: longer and longer; one run missed while the controller was down, and the last one`,
  },
  {
    id: "since-which-change",
    asked: "The CronJob import-orders fails since some hours. What changed since its last good run?",
    cluster: EU,
    namespace: "shop",
    calls: [call("find_runs", { series: "CronJob/import-orders", limit: 1 }), callAboutFirst("compare_runs")],
    requests: [get(`/v1/jobs?owner=CronJob/import-orders&limit=1&cluster=${EU}`), getOfFirst("jobs", "/compare")],
    facts: [
      fact("It exits with code 3.", /exited with code 3/),
      fact(
        "The CPU request was lowered from 1 to 250m.",
        /"before":"1","after":"250m"/,
        /"title":"Request cpu","before":\{"text":"1".*?"after":\{"text":"250m"/,
      ),
    ],
    truth: `${README}: the last four all fail, since their CPU request was lowered`,
  },
  {
    id: "waits-for-gpu",
    asked: "Why does training run train-ranker-140 not start?",
    cluster: EU,
    namespace: "ml",
    ...aboutRun("jobset", "train-ranker-140", "why_not_running"),
    facts: [
      fact("It waits in the queue training of Kueue.", /queue training/),
      fact("Not enough GPUs are free.", /not enough nvidia.com\/gpu is free/),
    ],
    truth: `${README}: -140 waits in a queue of Kueue`,
  },
  {
    id: "interrupted-training",
    asked: "train-ranker-137 took three hours longer than the others. Was it interrupted?",
    cluster: EU,
    namespace: "ml",
    ...aboutRun("jobset", "train-ranker-137"),
    facts: [
      fact("It was preempted once.", /preempted once/),
      fact("It waited in the queue twice, and was admitted twice.", /admitted 2 times/),
      fact("It is complete.", /4 of 4 Jobs complete/),
    ],
    truth: `${README}: -137 was preempted`,
  },
  {
    id: "bad-node",
    asked: "Pods of generated-eu failed more often lately. Is there a bad node?",
    cluster: EU,
    namespace: "shop",
    calls: [call("node_report", { cluster: EU, since: "30d" })],
    requests: [get(`/v1/nodes?cluster=${EU}&since=30d`)],
    facts: [
      fact("eu-node-3 is worse than the others beyond chance.", /"node":"eu-node-3"[^{}]*"worse":true/),
      fact("Evictions are the reason.", /"category":"eviction"/),
    ],
    truth: `${README}: for two days, a node without memory evicted some of the Pods of sync-inventory`,
  },
  {
    id: "can-we-know",
    asked: "Nothing has failed in generated-us this hour. Can we rely on that?",
    cluster: "generated-us",
    namespace: "analytics",
    calls: [call("completeness", { cluster: "generated-us", since: "30d" })],
    requests: [get("/v1/clusters"), get("/v1/gaps?cluster=generated-us&since=30d")],
    facts: [
      fact("No: there is no data since the watch ended.", /"silent":true/, /"observedAt"/),
      fact("There was a gap before.", /"resources":\[[^\]]*"pods"/),
    ],
    truth: `${README}: its watch was interrupted five days ago, and ended 20 minutes before the demo`,
  },
];
