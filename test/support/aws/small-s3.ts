import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { S3Client } from "@aws-sdk/client-s3";

interface Answer {
  readonly status: number;
  readonly body?: Uint8Array | string;
}

interface SmallVersion {
  readonly id: string;
  /** `undefined`: a delete marker. */
  readonly bytes: Buffer | undefined;
}

/** A bucket on this machine: conditional writes, ranges, versions, lists in pages, uploads in parts. */
export class SmallS3 {
  readonly #server: Server;
  readonly objects = new Map<string, Buffer>();
  /** The versions of each key, the latest first. */
  readonly versions = new Map<string, readonly SmallVersion[]>();
  /** Whether versions can only be deleted by a principal that bypasses the governance mode of Object Lock. */
  isLocked = false;
  #lastVersion = 0;
  /** The parts of the uploads that have neither ended nor been aborted, by the keys of their objects. */
  readonly uploads = new Map<string, readonly Buffer[]>();
  /** Keys of a page of a list. */
  pageKeys = 1000;
  /** Answers instead of the bucket's own, one for each of the next requests; `undefined` for its own. */
  readonly refusals: (Answer | undefined)[] = [];
  requests = 0;

  private constructor() {
    this.#server = createServer((request, response) => {
      void this.#answer(request).then(({ status, body = "" }) => response.writeHead(status).end(body));
    });
  }

  static async start(): Promise<SmallS3> {
    const s3 = new SmallS3();
    s3.#server.listen(0, "127.0.0.1");
    await once(s3.#server, "listening");
    return s3;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  client(): S3Client {
    return new S3Client({
      endpoint: this.endpoint,
      forcePathStyle: true,
      region: "eu-central-1",
      credentials: { accessKeyId: "test", secretAccessKey: "test" },
      maxAttempts: 1,
    });
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    const bytes = await buffer(request);
    this.requests += 1;
    const refusal = this.refusals.shift();
    if (refusal !== undefined) return refusal;
    const url = new URL(request.url ?? "/", this.endpoint);
    const [, bucket, ...path] = url.pathname.split("/");
    if (bucket !== "bucket") return s3Error(404, "NoSuchBucket");
    const key = decodeURIComponent(path.join("/"));
    const { searchParams } = url;
    if (searchParams.has("uploads") || searchParams.has("uploadId")) return this.#upload(request.method, key, bytes);
    if (request.method === "PUT") return this.#put(key, bytes, request.headers["if-none-match"] === "*");
    if (request.method === "DELETE") {
      const isBypassing = request.headers["x-amz-bypass-governance-retention"] === "true";
      return this.#delete(key, { id: url.searchParams.get("versionId"), isBypassing });
    }
    if (url.searchParams.has("versions")) return this.#listVersions(url.searchParams);
    return key === "" ? this.#list(url.searchParams) : this.#get(key, request.headers.range);
  }

  #upload(method: string | undefined, key: string, bytes: Buffer): Answer {
    const parts = this.uploads.get(key);
    if (parts === undefined) {
      this.uploads.set(key, []);
      return {
        status: 200,
        body: "<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>",
      };
    }
    if (method === "PUT") {
      this.uploads.set(key, [...parts, bytes]);
      return { status: 200 };
    }
    this.uploads.delete(key);
    return method === "DELETE" ? { status: 204 } : { ...this.#put(key, Buffer.concat(parts), false), body: COMPLETED };
  }

  #put(key: string, bytes: Buffer, ifAbsent: boolean): Answer {
    if (ifAbsent && this.objects.has(key)) return s3Error(412, "PreconditionFailed");
    this.objects.set(key, bytes);
    this.#addVersion(key, bytes);
    return { status: 200 };
  }

  #addVersion(key: string, bytes: Buffer | undefined): void {
    this.#lastVersion += 1;
    this.versions.set(key, [{ id: `v${this.#lastVersion}`, bytes }, ...(this.versions.get(key) ?? [])]);
  }

  #delete(key: string, { id, isBypassing }: { readonly id: string | null; readonly isBypassing: boolean }): Answer {
    if (id === null) {
      this.objects.delete(key);
      this.#addVersion(key, undefined);
      return { status: 204 };
    }
    if (this.isLocked && !isBypassing) return s3Error(403, "AccessDenied");
    const [latest, ...others] = (this.versions.get(key) ?? []).filter((version) => version.id !== id);
    if (latest === undefined) this.versions.delete(key);
    else this.versions.set(key, [latest, ...others]);
    if (latest?.bytes === undefined) this.objects.delete(key);
    else this.objects.set(key, latest.bytes);
    return { status: 204 };
  }

  #listVersions(query: URLSearchParams): Answer {
    const prefix = query.get("prefix") ?? "";
    const all = [...this.versions]
      .filter(([key]) => key.startsWith(prefix))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([key, versions]) => versions.map((version, index) => ({ key, ...version, isLatest: index === 0 })));
    const begin = all.findIndex(({ id }) => id === query.get("version-id-marker")) + 1;
    const page = all.slice(begin, begin + this.pageKeys);
    const listed = page.map(({ key, id, bytes, isLatest }) => {
      const element = bytes === undefined ? "DeleteMarker" : "Version";
      const fields = `<Key>${key}</Key><VersionId>${id}</VersionId><IsLatest>${String(isLatest)}</IsLatest>`;
      return `<${element}>${fields}</${element}>`;
    });
    const last = all.length > begin + page.length ? page.at(-1) : undefined;
    const next =
      last === undefined
        ? ""
        : `<NextKeyMarker>${last.key}</NextKeyMarker><NextVersionIdMarker>${last.id}</NextVersionIdMarker>`;
    return { status: 200, body: `<ListVersionsResult>${listed.join("")}${next}</ListVersionsResult>` };
  }

  #get(key: string, range: string | undefined): Answer {
    const bytes = this.objects.get(key);
    if (bytes === undefined) return s3Error(404, "NoSuchKey");
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(range ?? "") ?? [];
    if (start === undefined) return { status: 200, body: bytes };
    if (Number(start) >= bytes.length) return s3Error(416, "InvalidRange");
    return { status: 206, body: bytes.subarray(Number(start), Number(end) + 1) };
  }

  #list(query: URLSearchParams): Answer {
    const prefix = query.get("prefix") ?? "";
    const after = query.get("continuation-token") ?? "";
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const page = keys.slice(0, this.pageKeys);
    const contents = page.map(
      (key) => `<Contents><Key>${key}</Key><Size>${this.objects.get(key)?.length ?? 0}</Size></Contents>`,
    );
    const next = keys.length > page.length ? `<NextContinuationToken>${page.at(-1) ?? ""}</NextContinuationToken>` : "";
    return { status: 200, body: `<ListBucketResult>${contents.join("")}${next}</ListBucketResult>` };
  }
}

const COMPLETED = "<CompleteMultipartUploadResult></CompleteMultipartUploadResult>";

/** An error as S3 words it. */
export function s3Error(status: number, code: string): Answer {
  return { status, body: `<Error><Code>${code}</Code><Message>A message of S3.</Message></Error>` };
}
