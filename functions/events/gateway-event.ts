type Values<Value> = Readonly<Record<string, Value | undefined>> | null;

/** An event of a REST API with Lambda proxy integration. Emulators and direct invocations omit most fields. */
export interface GatewayEvent {
  readonly httpMethod: string;
  readonly path: string;
  readonly headers?: Values<string>;
  readonly multiValueHeaders?: Values<readonly string[]>;
  readonly queryStringParameters?: Values<string>;
  readonly multiValueQueryStringParameters?: Values<readonly string[]>;
  readonly body?: string | null;
  readonly isBase64Encoded?: boolean;
  readonly requestContext?: {
    readonly identity?: { readonly caller?: string | null };
    /** The path with the stage. */
    readonly path?: string;
    /** The host name of the API. */
    readonly domainName?: string;
  };
}
