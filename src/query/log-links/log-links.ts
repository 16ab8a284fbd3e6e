import * as v from "valibot";
import { knownKeys } from "../../ports/files/known-keys.ts";
import { type LogLinkTemplate, parseLogLink } from "../../explain/log-links/log-link-template.ts";
import type { ClusterLogs } from "../../explain/log-links/pod-log-links.ts";
import { matchesGlob } from "../../job/text/glob.ts";
import { checkContent, type ReadContent } from "../../ports/files/file-content.ts";

/** Where the logs of clusters can be read (docs/log-links.md). */
export interface LogLinks {
  readonly links: readonly {
    readonly name: string;
    /** Patterns of clusters' names, which may contain `*`. @default all clusters */
    readonly clusters?: readonly string[];
    readonly url: LogLinkTemplate;
  }[];
}

const MAX_LINKS = 100;

const pattern = v.pipe(
  v.string("Expected the name of a cluster; * stands for any characters."),
  v.nonEmpty("A pattern cannot be empty."),
  v.maxLength(253, "A pattern has at most 253 characters."),
);

const template = v.pipe(
  v.string("Expected an address such as https://logs.example.org/?pod={pod}."),
  v.rawTransform<string, LogLinkTemplate>(({ dataset, addIssue, NEVER }) => {
    const parsed = parseLogLink(dataset.value);
    if (parsed.outcome === "parsed") return parsed.template;
    addIssue({ message: parsed.problem });
    return NEVER;
  }),
);

const logLinksSchema: v.GenericSchema<unknown, LogLinks> = knownKeys(
  {
    links: v.pipe(
      v.array(
        knownKeys({
          name: v.pipe(
            v.string("Expected a name such as Grafana."),
            v.regex(/^[^\p{Cc}]{1,40}$/u, "A name has 1 to 40 characters."),
          ),
          clusters: v.exactOptional(v.array(pattern, "Expected a list of patterns.")),
          url: template,
        }),
        "Expected a list of links.",
      ),
      v.maxLength(MAX_LINKS, `A file has at most ${MAX_LINKS} links.`),
    ),
  },
  'Expected "links", a list of links.',
);

/** The links of a parsed file. */
export function logLinksIn(document: unknown): ReadContent<LogLinks> {
  return checkContent(document, logLinksSchema);
}

/** Where the logs of one cluster can be read; `undefined` if nowhere. */
export function clusterLogs(logLinks: LogLinks | undefined, cluster: string): ClusterLogs | undefined {
  const places = (logLinks?.links ?? [])
    .filter(({ clusters }) => clusters === undefined || clusters.some((pattern) => matchesGlob(pattern, cluster)))
    .map(({ name, url }) => ({ name, template: url }));
  return places.length === 0 ? undefined : { cluster, places };
}
