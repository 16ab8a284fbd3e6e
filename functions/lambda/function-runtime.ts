import { Logger } from "@aws-lambda-powertools/logger";
import { Metrics } from "@aws-lambda-powertools/metrics";
import {
  type CountMetric,
  METRIC_DIMENSION,
  METRIC_NAMESPACE,
  type MetricName,
} from "../../src/runtime/metric-names.ts";

/** What every function has of its surroundings besides its stores. */
export interface FunctionRuntime {
  readonly logger: Logger;
  readonly count: CountMetric;
  /** Prints what was counted since the last time, as one line of CloudWatch's embedded metric format. */
  readonly publishCounts: () => void;
}

/** Made once for each process, when the function starts. */
export function openRuntime(service: string, stage: string): FunctionRuntime {
  const metrics = new Metrics({ namespace: METRIC_NAMESPACE });
  // Powertools adds a dimension "service" of its own accord; an alarm names a metric by exactly its dimensions.
  metrics.clearDefaultDimensions();
  metrics.setDefaultDimensions({ [METRIC_DIMENSION]: stage });
  const counts = new Map<MetricName, number>();
  return {
    logger: new Logger({ serviceName: service, persistentKeys: { stage } }),
    count: (name, added) => counts.set(name, (counts.get(name) ?? 0) + added),
    publishCounts: () => {
      if (counts.size === 0) return;
      // One value for each metric: a list of them is printed anew at every hundredth.
      for (const [name, value] of counts) metrics.addMetric(name, "Count", value);
      counts.clear();
      metrics.publishStoredMetrics();
    },
  };
}
