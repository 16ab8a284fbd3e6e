import type { SummaryAnswer } from "../../src/query/summary/summary.ts";
import { Figure } from "../shell/figure.tsx";
import { percent } from "./percent.ts";
import { number } from "../text/plural.ts";
import { spanText } from "../text/span-text.ts";

/** The most important figures. */
export function SummaryFigures({ summary }: { readonly summary: SummaryAnswer }) {
  const { successRate, durationSeconds, reRuns, pods, attention } = summary;
  return (
    <dl class="figures">
      <Figure
        name="Success rate"
        value={successRate === undefined ? "–" : percent(successRate)}
        remark="of Complete and Failed"
      />
      <Figure name="Duration p50" value={seconds(durationSeconds?.p50)} remark="from start to finish" />
      <Figure name="Duration p90" value={seconds(durationSeconds?.p90)} />
      <Figure
        name="Duration p99"
        value={seconds(durationSeconds?.p99)}
        remark={`longest ${seconds(durationSeconds?.max)}`}
      />
      <Figure
        name="Needless re-runs"
        value={number(reRuns.pods)}
        remark={`of ${number(reRuns.jobs)} Jobs, ${spanText(reRuns.seconds * 1_000)} wasted`}
      />
      <Figure name="With findings" value={number(attention)} remark="Jobs" />
      <Figure
        name="Pods"
        value={number(pods.seen)}
        remark={`${number(pods.succeeded)} succeeded, ${number(pods.failed)} failed`}
      />
    </dl>
  );
}

function seconds(value: number | undefined): string {
  return value === undefined ? "–" : spanText(value * 1_000);
}
