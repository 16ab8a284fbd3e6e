// @ts-nocheck: it replaces private functions of Node's module loader, which have no types.
// Stands in for the native client of npm's aws-lambda-ric (rapid-client.node), which would have to be compiled with
// CMake and curl.
const Module = require("node:module");
const http = require("node:http");

const [host, port] = (process.env.AWS_LAMBDA_RUNTIME_API ?? "127.0.0.1:0").split(":");
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

function call(method, path, body, headers = {}) {
  const bodyHeaders =
    body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const request = http.request(
      { host, port, method, path, agent, headers: { ...bodyHeaders, ...headers } },
      (response) => {
        let bodyJson = "";
        response
          .setEncoding("utf8")
          .on("data", (chunk) => (bodyJson += chunk))
          .on("end", () => resolve({ bodyJson, headers: response.headers }));
      },
    );
    request.on("error", reject).end(body);
  });
}

let answered = Promise.resolve(); // the next invocation is asked for only after the last answer has arrived

const DEADLINE = "lambda-runtime-deadline-ms";
const CLOCKS_DIFFER_MILLIS = 1_000;

/** A chaos run sets the clock of a function. Its deadline follows, so that it has as much time as before. */
function inOwnTime(invocation) {
  const ahead = Date.now() - (performance.timeOrigin + performance.now());
  const deadline = Number(invocation.headers[DEADLINE]);
  if (Math.abs(ahead) > CLOCKS_DIFFER_MILLIS && Number.isFinite(deadline)) {
    invocation.headers[DEADLINE] = String(Math.round(deadline + ahead));
  }
  return invocation;
}

const client = {
  initializeClient() {},
  async next() {
    await answered;
    return inOwnTime(await call("GET", "/2018-06-01/runtime/invocation/next"));
  },
  done(id, body) {
    answered = call("POST", `/2018-06-01/runtime/invocation/${id}/response`, body);
  },
  error(id, body, cause) {
    answered = call("POST", `/2018-06-01/runtime/invocation/${id}/error`, body, {
      "Lambda-Runtime-Function-XRay-Error-Cause": cause,
    });
  },
};

const isClient = (file) => file.endsWith("rapid-client.node");
const resolveFilename = Module._resolveFilename;
Module._resolveFilename = function (request, ...rest) {
  return isClient(request) ? "/virtual/rapid-client.node" : resolveFilename.call(this, request, ...rest);
};
const loadNative = Module._extensions[".node"];
Module._extensions[".node"] = (module, file) => (isClient(file) ? (module.exports = client) : loadNative(module, file));
