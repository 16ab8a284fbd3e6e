import * as v from "valibot";
import { collectMetrics } from "../../count/metrics/collect-metrics.ts";
import { CountedMetrics } from "../../count/counted-metrics.ts";
import { exposition, METRIC_MEDIA_TYPES, preferredFormat, renderMetrics } from "../../count/metrics/render-metrics.ts";
import { defineRoute, type Reply, type Route, type RouteContext } from "../contract/route.ts";

async function replyWithMetrics({ ports, scope, now, headers, serverMetrics }: RouteContext): Promise<Reply> {
  const { meta, metrics = new CountedMetrics(meta, scope) } = await ports();
  const format = preferredFormat(headers.accept);
  const texts = [renderMetrics(await collectMetrics({ metrics, meta }, scope, now), format)];
  // They show how busy other readers are.
  if (scope === "everything" && serverMetrics !== undefined) texts.push(await serverMetrics.text(format));
  return { text: exposition(texts, format), mediaType: METRIC_MEDIA_TYPES[format] };
}

function metricsRouteAt(template: string, operationId: string): Route {
  return defineRoute({
    template,
    operationId,
    summary:
      "Metrics as Prometheus or OpenMetrics text, of what the reader may see; " +
      "those of the server itself for readers of everything",
    path: {},
    query: {},
    answer: v.string(),
    answerIs: "The exposition, in the format that `Accept` prefers.",
    answerType: METRIC_MEDIA_TYPES.prometheus,
    statuses: [],
    handle: replyWithMetrics,
  });
}

export const metricsRoute = metricsRouteAt("/v1/metrics", "getMetrics");
/** Where Prometheus scrapes by default. */
export const scrapeRoute = metricsRouteAt("/metrics", "scrapeMetrics");
