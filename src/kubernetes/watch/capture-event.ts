import type { WatchedResource } from "../connection/watched-resource.ts";

/** Why a stream needs a new list. */
export type RelistCause =
  /** The server no longer has the changes after the watch cursor: 410 Gone. */
  | "expired"
  /** The cluster's resourceVersions decreased: etcd was restored. */
  | "restored"
  /** The server repeatedly failed to continue from the watch cursor. */
  | "refused";

/** Events of a capture, for logs and metrics. Durations are in milliseconds. */
export type CaptureEvent =
  /**
   * A list is complete. `objects` counts objects of any owner. The first list of each resource makes the capture
   * ready.
   */
  | {
      readonly kind: "listed";
      readonly resource: WatchedResource;
      readonly objects: number;
      readonly millis: number;
      readonly how: "streamed" | "paged";
    }
  /** The watch is open: changes arrive as they happen. `resumed`: without a list before it. */
  | { readonly kind: "watching"; readonly resource: WatchedResource; readonly resumed: boolean }
  /** Bytes arrived: the stream is alive. */
  | { readonly kind: "heard"; readonly resource: WatchedResource; readonly events: number; readonly bytes: number }
  /** Nothing arrived for a while. The exporter checks the server and reopens the stream. Normal on a quiet cluster. */
  | { readonly kind: "stalled"; readonly resource: WatchedResource; readonly millis: number }
  | { readonly kind: "relisting"; readonly resource: WatchedResource; readonly cause: RelistCause }
  /** The cluster serves the resource no longer: its CustomResourceDefinition was removed. */
  | { readonly kind: "removed"; readonly resource: WatchedResource }
  /** A gap was recorded. */
  | { readonly kind: "gap"; readonly resource: WatchedResource; readonly millis: number; readonly reason: string }
  /** A problem that may need attention. The exporter retries after `retryInMillis`. `message` says what to do. */
  | {
      readonly kind: "problem";
      /** Absent where it concerns all resources. */
      readonly resource?: WatchedResource;
      readonly message: string;
      readonly retryInMillis: number;
    }
  /** An object that could not be read and was skipped. `object` is its name, as far as it is known. */
  | {
      readonly kind: "rejected";
      readonly resource: WatchedResource;
      readonly object: string;
      readonly reason: string;
    };
