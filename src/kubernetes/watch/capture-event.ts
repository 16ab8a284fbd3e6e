import type { WatchedResource } from "../connection/watched-resource.ts";

/** Why a stream could not go on where it stopped and was listed anew. */
export type RelistCause =
  /** The server no longer knows what happened since: 410 Gone. */
  | "expired"
  /** The resourceVersions of the cluster went back: etcd was restored. */
  | "restored"
  /** The server cannot go on from there for other reasons, again and again. */
  | "refused";

/** What happens to a capture: for logs and metrics. Durations are in milliseconds. */
export type CaptureEvent =
  /** A list is complete; `objects` of any kind of owner. The first one of each resource makes the capture ready. */
  | {
      readonly kind: "listed";
      readonly resource: WatchedResource;
      readonly objects: number;
      readonly millis: number;
      readonly how: "streamed" | "paged";
    }
  /** The stream is open: from now on changes are told as they happen. `resumed`: without a list before it. */
  | { readonly kind: "watching"; readonly resource: WatchedResource; readonly resumed: boolean }
  /** Bytes came: the stream is alive. */
  | { readonly kind: "heard"; readonly resource: WatchedResource; readonly events: number; readonly bytes: number }
  /** Nothing came for a while: whether the server is there was asked, and the stream is opened again. On a quiet cluster that is nothing to worry about. */
  | { readonly kind: "stalled"; readonly resource: WatchedResource; readonly millis: number }
  | { readonly kind: "relisting"; readonly resource: WatchedResource; readonly cause: RelistCause }
  /** A blind window was written down. */
  | { readonly kind: "gap"; readonly resource: WatchedResource; readonly millis: number; readonly reason: string }
  /** Something that somebody may have to look after; it is tried again after `retryInMillis`. `message` is a sentence that says what to do. */
  | {
      readonly kind: "problem";
      /** Absent where it concerns them all. */
      readonly resource?: WatchedResource;
      readonly message: string;
      readonly retryInMillis: number;
    }
  /** An object that cannot be read and was passed over; `object` is its name as far as it is known. */
  | {
      readonly kind: "rejected";
      readonly resource: WatchedResource;
      readonly object: string;
      readonly reason: string;
    };
