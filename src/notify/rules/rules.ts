import type { Instant } from "../../job/model/instant.ts";
import type { State } from "../../job/model/states.ts";
import type { LabelSelector } from "../../query/list/label-selector.ts";
import type { Destination } from "../receivers/receiver-kind.ts";

/** The content of a rule file (docs/notifications.md). */
export interface NotificationRules {
  readonly rules: readonly Rule[];
  readonly receivers: readonly Receiver[];
  readonly maintenance: readonly Maintenance[];
  /** The address of the web page, for links in messages. */
  readonly page?: string;
}

export interface Rule {
  readonly name: string;
  readonly match: RuleMatch;
  /** How long the condition must hold before a message is sent. */
  readonly forMillis: number;
  /** Names of receivers. */
  readonly to: readonly string[];
  /** The label or annotation whose value names other receivers than `to`. */
  readonly toValueOf?: string;
  /** Also notify when the condition is over. */
  readonly resolve: boolean;
  /** The rule is about failures in a row of a series, instead of each Job. Its match names no states and findings. */
  readonly series?: SeriesThresholds;
  /** The rule sends traces of runs that are final, to receivers of traces only. @default it sends messages */
  readonly traces?: true;
}

/** How many runs of a series in a row open an alert, and end it. */
export interface SeriesThresholds {
  readonly failureThreshold: number;
  readonly recoveryThreshold: number;
}

/** Patterns may contain `*`. An absent field matches everything. */
export interface RuleMatch extends SubjectPatterns {
  readonly selector?: LabelSelector;
  /** `Kind/name` or a name. */
  readonly owners?: readonly string[];
  readonly states: readonly State[];
  readonly findings: readonly string[];
}

export interface SubjectPatterns {
  readonly clusters?: readonly string[];
  readonly namespaces?: readonly string[];
  readonly names?: readonly string[];
}

/** An interval in which matching subjects send nothing. */
export interface Maintenance extends SubjectPatterns {
  readonly from: Instant;
  readonly to: Instant;
}

export interface Receiver extends Destination {
  readonly name: string;
  /** Whether several notifications can be one message. */
  readonly isGrouping: boolean;
  /** Whether it gets traces, instead of messages. */
  readonly takesTraces: boolean;
  /** Messages that begin in one interval of this length are sent as one, at its end. Only if it groups. */
  readonly group?: { readonly waitMillis: number };
  /** Further messages wait. */
  readonly rateLimit?: { readonly max: number; readonly perMillis: number };
}

/** The receiver cannot be used now, because a secret is missing or invalid. The text does not contain the secret. */
export interface UnusableReceiver {
  readonly name: string;
  readonly problem: string;
}
