import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { awsError } from "../aws/aws-error.ts";
import { batchRetry } from "../aws/batch-retry.ts";
import { attemptsOf, type Retry } from "../../ports/concurrency/retry.ts";
import type { ByteRange, ObjectEntry, ObjectStore } from "../../ports/object-store.ts";

export interface S3ObjectsOptions {
  readonly bucket: string;
  /** The folder of the objects in the bucket, without slashes at its ends. @default none */
  readonly prefix?: string;
  /** For writes that conflict with another writer. @default batchRetry() */
  readonly retry?: Retry;
}

/**
 * Objects in a bucket. What S3 guarantees and limits (S3 User Guide):
 *
 * - A write with `If-None-Match: *` fails with 412 if the key has an object, and with 409 while another conditional
 *   request for the key is under way. A key whose current version is a delete marker has no object.
 * - Reads and lists are strongly consistent. A list is in order of the keys' UTF-8 bytes (general purpose buckets; not
 *   directory buckets) and has 1,000 keys per page.
 * - A PutObject has at most 5 GB, a key at most 1,024 bytes.
 * - A prefix takes 3,500 writes and 5,500 reads per second, and grows. Meanwhile S3 answers 503: the SDK retries.
 * - A missing object is "access denied" for principals without `s3:ListBucket`.
 * - In a bucket with versions, a DeleteObject adds a delete marker. What it hides stays until its version is deleted by
 *   its id: one request per version, and 1,000 versions per page of their list. Object Lock refuses that; in governance
 *   mode, a principal with `s3:BypassGovernanceRetention` can delete it all the same, in compliance mode no principal.
 *
 * The SDK sends a CRC-32 with each write, which buckets with Object Lock require, and checks the one of each response.
 * Throws an AwsError.
 */
export function createS3Objects(client: S3Client, options: S3ObjectsOptions): ObjectStore {
  return new S3Objects(client, options);
}

class S3Objects implements ObjectStore {
  readonly name: string;
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #folder: string;
  readonly #retry: Retry;

  constructor(client: S3Client, { bucket, prefix = "", retry = batchRetry() }: S3ObjectsOptions) {
    this.#client = client;
    this.#bucket = bucket;
    this.#folder = prefix === "" ? "" : `${prefix}/`;
    this.#retry = retry;
    this.name = `s3://${bucket}${prefix === "" ? "" : `/${prefix}`}`;
  }

  async putIfAbsent(key: string, bytes: Uint8Array): Promise<"stored" | "exists"> {
    const put = new PutObjectCommand({ ...this.#at(key), Body: bytes, IfNoneMatch: "*" });
    let conflict: unknown;
    for await (const _ of attemptsOf(this.#retry)) {
      try {
        await this.#client.send(put);
        return "stored";
      } catch (cause) {
        // The first of the SDK's own attempts may have stored it, too.
        if (isNamed(cause, "PreconditionFailed")) return "exists";
        if (!isNamed(cause, "ConditionalRequestConflict")) throw this.#error(cause);
        conflict = cause;
      }
    }
    throw this.#error(conflict);
  }

  async read(key: string, range?: ByteRange): Promise<Uint8Array | undefined> {
    try {
      const got = await this.#client.send(new GetObjectCommand({ ...this.#at(key), ...(range && rangeOf(range)) }));
      const bytes = (await got.Body?.transformToByteArray()) ?? new Uint8Array();
      return range === undefined ? bytes : bytes.subarray(0, Math.max(0, range.end - range.start));
    } catch (cause) {
      if (isNamed(cause, "NoSuchKey")) return undefined;
      // The part begins after the object's end.
      if (isNamed(cause, "InvalidRange")) return new Uint8Array();
      throw this.#error(cause);
    }
  }

  async *list(prefix: string): AsyncGenerator<ObjectEntry> {
    let next: string | undefined;
    do {
      const page = await this.#listPage(prefix, next);
      for (const { Key: key = "", Size: bytes = 0 } of page.Contents ?? []) {
        yield { key: key.slice(this.#folder.length), bytes };
      }
      next = page.NextContinuationToken;
    } while (next !== undefined);
  }

  async remove(key: string): Promise<void> {
    try {
      await this.#client.send(new DeleteObjectCommand(this.#at(key)));
    } catch (cause) {
      throw this.#error(cause);
    }
  }

  async erase(key: string): Promise<void> {
    await this.#eraseVersions(key, (version) => version.key === key);
  }

  async eraseHidden(prefix: string, isWanted: (key: string) => boolean): Promise<number> {
    return this.#eraseVersions(prefix, ({ key, isLatest, isMarker }) => (!isLatest || isMarker) && isWanted(key));
  }

  /** Deletes delete markers last: without its marker, the version behind it would be listed again. */
  async #eraseVersions(prefix: string, isErased: (version: ObjectVersion) => boolean): Promise<number> {
    const erased: ObjectVersion[] = [];
    for await (const version of this.#versions(prefix)) if (isErased(version)) erased.push(version);
    erased.sort((a, b) => Number(a.isMarker) - Number(b.isMarker));
    for (const version of erased) await this.#eraseVersion(version);
    return erased.length;
  }

  async *#versions(prefix: string): AsyncGenerator<ObjectVersion> {
    let after: { readonly KeyMarker?: string; readonly VersionIdMarker?: string } | undefined;
    do {
      const page = await this.#listVersions(prefix, after ?? {});
      const markers = (page.DeleteMarkers ?? []).map((marker) => ({ ...marker, isMarker: true }));
      const versions = (page.Versions ?? []).map((version) => ({ ...version, isMarker: false }));
      yield* [...versions, ...markers].map((one) => this.#version(one));
      const { NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = page;
      after =
        KeyMarker === undefined ? undefined : { KeyMarker, ...(VersionIdMarker !== undefined && { VersionIdMarker }) };
    } while (after !== undefined);
  }

  #version({ Key = "", VersionId, IsLatest = false, isMarker }: ListedVersion): ObjectVersion {
    return { key: Key.slice(this.#folder.length), id: VersionId, isLatest: IsLatest, isMarker };
  }

  async #eraseVersion({ key, id }: ObjectVersion): Promise<void> {
    const version = { ...this.#at(key), ...(id !== undefined && { VersionId: id }) };
    try {
      await this.#client.send(new DeleteObjectCommand(version));
    } catch (cause) {
      // The header is sent only if needed: S3 rejects it from principals without the permission.
      if (!isNamed(cause, "AccessDenied")) throw this.#error(cause);
      await this.#eraseLocked(version);
    }
  }

  async #eraseLocked(version: { readonly Bucket: string; readonly Key: string }): Promise<void> {
    try {
      await this.#client.send(new DeleteObjectCommand({ ...version, BypassGovernanceRetention: true }));
    } catch (cause) {
      throw this.#error(cause);
    }
  }

  async #listVersions(prefix: string, after: { readonly KeyMarker?: string; readonly VersionIdMarker?: string }) {
    try {
      const range = { Bucket: this.#bucket, Prefix: `${this.#folder}${prefix}`, ...after };
      return await this.#client.send(new ListObjectVersionsCommand(range));
    } catch (cause) {
      throw this.#error(cause);
    }
  }

  async #listPage(prefix: string, after: string | undefined) {
    try {
      return await this.#client.send(
        new ListObjectsV2Command({
          Bucket: this.#bucket,
          Prefix: `${this.#folder}${prefix}`,
          ...(after !== undefined && { ContinuationToken: after }),
        }),
      );
    } catch (cause) {
      throw this.#error(cause);
    }
  }

  #at(key: string) {
    return { Bucket: this.#bucket, Key: `${this.#folder}${key}` };
  }

  #error(cause: unknown): unknown {
    return awsError(`Bucket ${this.#bucket}`, cause);
  }
}

interface ListedVersion {
  readonly Key?: string | undefined;
  readonly VersionId?: string | undefined;
  readonly IsLatest?: boolean | undefined;
  readonly isMarker: boolean;
}

interface ObjectVersion {
  readonly key: string;
  /** `null` for an object that was written before the bucket kept versions. */
  readonly id: string | undefined;
  readonly isLatest: boolean;
  readonly isMarker: boolean;
}

/** HTTP names the last byte, and cannot name an empty range. */
function rangeOf({ start, end }: ByteRange) {
  return { Range: `bytes=${start}-${Math.max(start, end - 1)}` };
}

function isNamed(cause: unknown, name: string): boolean {
  return cause instanceof Error && cause.name === name;
}
